//! What stores have to provide, and what they are given: drives, their size, rented volumes.

use super::stores::{EXACT, Need, Part, grows_by};
use crate::catalog::{Catalog, Place};
use crate::site::Site;
use crate::system::capacity::{RoleSize, provide};
use crate::system::disk_set::sets;
use crate::system::{Deployment, LOCAL_DISKS, Mount};

/// What the stores of a site are sized by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizing<'a> {
    pub(super) site: &'a Site,
    pub(super) catalog: &'a Catalog,
    /// What each role needs.
    pub(super) sizes: &'a [RoleSize],
}

/// An array that needs more than so many times its usual disks is the wrong array where another holds the data (assumed: three
/// more shelves or chassis).
const GROWN_MAX: f64 = 4.0;
/// So many arrays of a kind are bought at most for one site (assumed): what needs more is an order for another kind of system.
const SYSTEMS_MAX: f64 = 4.0;
/// Drives that are bought are at most about so many times as large as the usual one (assumed: two doublings in the life of
/// a drive series).
const LARGER_MAX: f64 = 4.0;
/// Share of what is needed that a size with a price has at least: sizes are stated with few digits.
const PRICED_LEAST: f64 = 0.999;
/// The smallest cloud volume that is bought: 1 GiB.
const CLOUD_LEAST: f64 = 1_073_741_824.0;

/// Whose a store of the edges is that are built alike.
const LIKE_EDGES: &str = "each edge";

/// RAID level of a pair, and of several.
const MIRROR: &str = "raid1";
const MIRRORS: &str = "raid10";

impl<'a> Sizing<'a> {
    pub(super) fn of(site: &'a Site, catalog: &'a Catalog, sizes: &'a [RoleSize]) -> Self {
        Self { site, catalog, sizes }
    }

    /// The planning horizon in years.
    pub(super) fn years(&self) -> f64 {
        self.site.horizon.time.value.in_years()
    }

    /// Logical over physical bytes of a store: that of its array, but for the binaries of depots, which p4d has compressed.
    pub(super) fn reduction(&self, need: &Need) -> f64 {
        let of_array = self.catalog.arrays[&need.mount.device].data_reduction.value;
        if !need.parts.iter().any(|part| part.role == "depot") {
            return of_array;
        }
        let binary = self.site.data.binary_share.value.get();
        1.0 / (binary + (1.0 - binary) / of_array)
    }

    /// Usable bytes of one mount's store with its disks, after data reduction.
    pub(super) fn usable(&self, mount: &Mount, need: &Need) -> f64 {
        let array = &self.catalog.arrays[&mount.device];
        let reduction = self.reduction(need);
        if !mount.is_private() {
            return array.usable.value.get() * reduction * mount.disks / array.disks.value;
        }
        let data = self.catalog.raid[&mount.raid].data_disks(mount.disks);
        mount.disk_bytes * data.max(1.0) * reduction
    }

    /// The size of a drive that has to hold so many bytes \[B\]: of those with a price the smallest that does, or else the
    /// largest. Where no size has a price, the smallest that is sold, up to the largest, or else to that of two doublings; never
    /// smaller than the usual one.
    fn sold(&self, mount: &Mount, bytes: f64, any: bool) -> f64 {
        // What has no price cannot be ordered.
        let priced = self.site.drive_sizes(&mount.medium);
        let holds = |size: &&f64| **size >= bytes * PRICED_LEAST;
        if let Some(size) = priced.iter().find(holds).or(priced.last()) {
            return *size;
        }
        if bytes <= mount.disk_bytes {
            return mount.disk_bytes;
        }
        let medium = &self.catalog.media[&mount.medium];
        let most = if any { f64::INFINITY } else { medium.capacity.value.get().max(mount.disk_bytes) * LARGER_MAX };
        let size = medium.sold_for(bytes.min(most)).get();
        size.max(mount.disk_bytes)
    }

    /// Gives each store what its volumes need until the horizon: an array more disks, a chassis larger ones of a size that is
    /// sold. The edge of a distant office gets as many drives as it needs where their number is assumed; a server on which all
    /// lies today gets further drives where the largest that are sold do not hold what is needed and nobody stated their size.
    /// Drives that the largest sizes leave too few are handed out anew, and depots that the drives of an edge or a standby do
    /// not hold get an array of the site's storage.
    pub(super) fn provision(&self, deployment: &mut Deployment) {
        let bare = deployment.clone();
        self.provision_sets(deployment);
        if let Some(moved) = self.moved_to_arrays(&bare, deployment) {
            *deployment = moved;
            self.provision_sets(deployment);
        }
        self.apportion(deployment);
    }

    fn provision_sets(&self, deployment: &mut Deployment) {
        let there = self.drive_there();
        for mount in deployment.volumes.iter_mut().filter(|m| m.is_local()) {
            mount.disk_bytes = there.map_or(mount.disk_bytes, |least| self.sold(mount, least, true));
        }
        let needs = self.needs(deployment);
        let of = |server: usize, mount: &Mount| {
            let mut needs = needs.iter();
            needs.find(|need| need.server == server && need.mount.shares_disks(mount))
        };
        let bays = self.bays(&deployment.server);
        for mount in &mut deployment.volumes {
            if let Some(need) = of(0, mount) {
                self.provision_common(mount, need, there.map(|_| bays));
            }
        }
        // The edges of all offices are alike, and so is what they hold.
        let offices = 1..=deployment.offices.len();
        let of_office = |mount: &Mount| offices.clone().find_map(|server| of(server, mount));
        self.provision_own(&mut deployment.office_volumes, of_office, bays);
        // The last edge stands for all, and behind it comes the standby.
        let (edge, behind) = (deployment.edges as usize, deployment.servers());
        self.provision_own(&mut deployment.edge_volumes, |mount| of(edge, mount), bays);
        if let Some(standby) = &mut deployment.standby {
            self.provision_own(&mut standby.volumes, |mount| of(behind, mount), bays);
        }
    }

    /// Gives a volume of the commit server what it needs: a cloud volume has that size; a chassis takes larger disks; an array
    /// takes more of them.
    /// `bays` is how many drives fit where all lies on the server's today.
    fn provision_common(&self, mount: &mut Mount, need: &Need, bays: Option<f64>) {
        let needed = need.until(self.years());
        if mount.is_cloud() {
            self.rent(mount, need, needed);
        } else if mount.is_private() {
            let share = needed / self.usable(mount, need);
            mount.disk_bytes = self.sold(mount, mount.disk_bytes * share, bays.is_some());
            if let Some(bays) = bays {
                let more = self.more_drives(mount, need, needed);
                add_drives(mount, more.min((bays - mount.disks).max(0.0)));
            }
        } else {
            self.grow(mount, need, needed);
        }
    }

    /// Gives a volume on an array the disks that hold what it needs; one that the site describes has those that it has, and an
    /// edge or a standby gets as many of it as it needs.
    fn grow(&self, mount: &mut Mount, need: &Need, needed: f64) {
        let array = &self.catalog.arrays[&mount.device];
        if array.is_fixed && !mount.is_own() {
            return;
        }
        mount.disks = mount.disks.max(array.disks.value);
        let share = (needed / self.usable(mount, need)).max(1.0);
        let most = if array.elastic {
            f64::INFINITY
        } else if self.is_uncounted(&mount.device) {
            // What is there holds today's data; what is bought for it is bounded by its kind.
            GROWN_MAX.max((need.at(0.0) / self.usable(mount, need)).ceil())
        } else if array.is_fixed {
            SYSTEMS_MAX
        } else {
            SYSTEMS_MAX * GROWN_MAX
        };
        let share = share.min(most);
        mount.disks = if array.is_fixed { mount.disks * share.ceil() } else { (mount.disks * share).ceil() };
    }

    /// How many times its usual disks an array of the site gets, where that is more than an array of its kind grows to.
    pub(super) fn outgrown(&self, mount: &Mount) -> Option<f64> {
        let array = self.catalog.arrays.get(&mount.device)?;
        let is_bought = !mount.is_private() && !array.is_fixed && !array.elastic;
        let times = mount.disks / array.disks.value;
        (is_bought && times > GROWN_MAX && !self.is_uncounted(&mount.device)).then_some(times)
    }

    /// Gives the volumes of an edge or a standby the size and, where their number is assumed, the drives that they need, as many
    /// as fit in it.
    fn provision_own<'n>(&self, volumes: &mut [Mount], of: impl Fn(&Mount) -> Option<&'n Need>, bays: f64) {
        let local = volumes.iter().filter(|mount| mount.is_local());
        let mut free = bays - sets(local).iter().map(|mount| mount.disks).sum::<f64>();
        let mut sized: Vec<Mount> = Vec::new();
        for mount in volumes {
            let Some(need) = of(mount) else {
                continue;
            };
            if let Some(same) = sized.iter().find(|same| same.shares_disks(mount)) {
                mount.disk_bytes = same.disk_bytes;
                mount.disks = same.disks;
                mount.raid.clone_from(&same.raid);
                continue;
            }
            let needed = need.until(self.years());
            if mount.is_cloud() {
                self.rent(mount, need, needed);
            } else if mount.is_local() {
                if self.site.edge.drive_size.is_none() {
                    let share = needed / self.usable(mount, need);
                    mount.disk_bytes = self.sold(mount, mount.disk_bytes * share, false);
                }
                if !self.site.edge.local_disks.is_stated() {
                    let step = self.catalog.raid[&mount.raid].copies.value.max(1.0);
                    let most = (free.max(0.0) / step).floor() * step;
                    let more = self.more_drives(mount, need, needed).min(most);
                    add_drives(mount, more);
                    free -= more;
                }
            } else {
                self.grow(mount, need, needed);
            }
            sized.push(mount.clone());
        }
    }

    /// What is ordered of a store in the course of so many years \[B\]: of a provider's volume, which is enlarged as its data grow, no
    /// more than these need by then, and so of a service that grows; of all else what the layout has, from the first day.
    pub(super) fn ordered(&self, mount: &Mount, need: &Need, years: f64) -> f64 {
        let needed = need.until(years);
        let array = &self.catalog.arrays[&mount.device];
        if mount.is_private() {
            let all = mount.disks * mount.disk_bytes;
            if !mount.is_cloud() {
                return all;
            }
            let share = needed / self.usable(mount, need);
            let least = mount.bought.map_or(0.0, |bought| bought.size_least);
            return (all * share).clamp(least.max(CLOUD_LEAST).min(all), all);
        }
        let holds = if array.is_fixed || array.elastic { needed } else { needed.max(self.usable(mount, need)) };
        holds / self.reduction(need)
    }

    /// The end of the first month, in years.
    pub(super) fn first_month(&self) -> f64 {
        self.years().min(1.0 / 12.0)
    }

    /// Gives a volume of a cloud the size that is needed.
    fn rent(&self, mount: &mut Mount, need: &Need, needed: f64) {
        let share = needed / self.usable(mount, need);
        let least = CLOUD_LEAST / mount.disk_bytes;
        mount.disk_bytes *= share.max(least);
        let bought = mount.bought.map_or(0.0, |bought| bought.size_least);
        mount.disk_bytes = mount.disk_bytes.max(bought / mount.disks);
    }

    /// Gives today's system, where nobody stated the size of a drive in it, drives that hold what lies on them; they may have a
    /// size that is not sold.
    pub(super) fn provision_there(&self, deployment: &mut Deployment) {
        let there = deployment.clone();
        self.provision(deployment);
        let needs = self.needs(deployment);
        for (mount, there) in deployment.volumes.iter_mut().zip(there.volumes) {
            if !mount.is_local() {
                continue;
            }
            mount.disks = there.disks;
            mount.raid = there.raid;
            let mut of_set = needs.iter();
            if let Some(need) = of_set.find(|need| need.server == 0 && need.mount.shares_disks(mount)) {
                let data = self.catalog.raid[&mount.raid].data_disks(mount.disks).max(1.0);
                let each = need.until(self.years()) / self.reduction(need) / data;
                mount.disk_bytes = mount.disk_bytes.max(each);
            }
        }
    }

    /// Whether data lie on an array today whose drives nobody counted: it has as many as hold them.
    fn is_uncounted(&self, device: &str) -> bool {
        self.site.today.volumes.iter().any(|volume| {
            let array = volume.array.as_ref();
            volume.drives.is_none() && array.is_some_and(|array| array.value == device)
        })
    }

    /// The least size of the server's drives where a site says that everything lies on them today and not how large they are:
    /// they hold today's data \[B\]. None where their size is known or nothing is said of them.
    ///
    /// An assumed size must neither exclude a server that is there nor limit what is bought for it.
    fn drive_there(&self) -> Option<f64> {
        let current = self.site.infrastructure.current_layout.as_ref();
        let layout = current.and_then(|id| self.catalog.layouts.get(&id.value));
        let is_local = layout.is_some_and(|l| l.volumes.iter().all(|v| v.place == Place::Local));
        let drives = &self.site.server.local_disks;
        let raid = &self.catalog.arrays[LOCAL_DISKS].raid;
        if !is_local || !drives.is_stated() || !self.site.today.volumes.is_empty() {
            return None;
        }
        let data: f64 = self.sizes.iter().map(|size| size.data.get()).sum();
        Some(data / self.catalog.raid[raid].data_disks(drives.value).max(1.0))
    }

    /// Drives of the same size that a volume's set lacks to hold `needed` bytes; mirrors grow by pairs.
    pub(super) fn more_drives(&self, mount: &Mount, need: &Need, needed: f64) -> f64 {
        let there = self.usable(mount, need);
        let lacking = needed - there;
        if lacking <= needed * EXACT {
            return 0.0;
        }
        if !mount.is_private() {
            return (lacking / (there / mount.disks)).ceil();
        }
        let copies = self.catalog.raid[&mount.raid].copies.value;
        let pair = mount.disk_bytes * self.reduction(need);
        (lacking / pair).ceil() * copies
    }

    /// Each set of disks of each server with what it has to provide.
    pub(super) fn needs(&self, deployment: &Deployment) -> Vec<Need> {
        let Self { site, catalog, sizes } = *self;
        let mut needs: Vec<Need> = Vec::new();
        let edges = deployment.edges as usize;
        let near = edges - deployment.offices.len().min(edges);
        let mut add = |server: usize, mount: &Mount| {
            let distant = deployment.is_distant(server);
            let apart = distant || deployment.is_standby(server);
            let has_own = |role: &str| {
                let mut own = deployment.edge_volumes.iter();
                own.any(|mount| mount.roles.contains(&role))
            };
            // Edges on the same array have their own copy of everything but shared depots.
            let copies = |role: &str| match (server, mount.is_own()) {
                // What the edges keep on drives of their own takes no room there.
                (0, false) if has_own(role) => 1.0,
                (0, false) if role != "depot" || !deployment.shared_depot => near as f64 + 1.0,
                (1.., true) if role == "depot" && deployment.shared_depot && !apart => 0.0,
                _ => 1.0,
            };
            let share = |size: &RoleSize| if distant { size.at_office } else { 1.0 };
            let provide = provide(site, catalog, mount);
            let held = sizes.iter().filter(|s| mount.roles.contains(&s.role));
            let parts = held.map(|s| Part {
                role: s.role,
                now: copies(s.role) * share(s) * provide * s.data.get(),
                growth: if s.role == "depot" { site.data.depot_growth.clone() } else { site.data.db_growth.clone() },
                field: grows_by(s.role),
            });
            let known = |need: &&mut Need| need.server == server && need.mount.shares_disks(mount);
            if let Some(need) = needs.iter_mut().find(known) {
                need.parts.extend(parts);
                return;
            }
            let (of, name) = if deployment.is_like_edge(server) {
                (LIKE_EDGES.to_owned(), LIKE_EDGES.to_owned())
            } else {
                let in_words = deployment.server_in_words(server);
                (in_words, deployment.server_name(server))
            };
            needs.push(Need {
                store: match server {
                    0 => mount.set_name(catalog),
                    _ => mount.set_name(catalog).followed_by(&format!(" ({name})")),
                },
                mount: mount.clone(),
                server,
                of,
                parts: parts.collect(),
            });
        };
        for mount in &deployment.volumes {
            add(0, mount);
        }
        // Edges beside the commit server are alike: the last stands for all. What lies on an array was counted there.
        let beside = (near > 0).then_some(edges);
        let standby = deployment.standby.as_ref().map(|_| deployment.servers());
        for server in (1..=deployment.offices.len()).chain(beside).chain(standby) {
            let own = deployment.volumes_on(server).into_iter();
            for mount in own.filter(|mount| mount.is_own()) {
                add(server, mount);
            }
        }
        needs
    }
}

/// Gives a set of a server's own disks further drives; several pairs are striped.
fn add_drives(mount: &mut Mount, more: f64) {
    mount.disks += more;
    if mount.raid == MIRROR && mount.disks > 2.0 {
        MIRRORS.clone_into(&mut mount.raid);
    }
}
