//! What an answer costs: the advice of every example site, without and with its simulation, and what a shifted number costs from
//! where a deployment is at rest over what solving it again costs, what many offices and many arrays cost.

use std::collections::BTreeMap;

use plimsoll::advisor::{Ask, Budget, advise_confirmed};
use plimsoll::calibration::Calibration;
use plimsoll::catalog::Catalog;
use plimsoll::posterior::NumberId;
use plimsoll::site::{self, Vocabulary};
use plimsoll::system::{Lens, Resting, predict_through};

use crate::deployments::SITES;
use crate::rounds::seconds_of;

/// Numbers that are shifted.
const NUMBERS: usize = 40;

/// Prints a row a site: processor seconds, and the ratio.
pub fn print(rounds: u64) {
    let (catalog, calibration) = (Catalog::embedded(), Calibration::embedded());
    let vocabulary = Vocabulary::of(&catalog);
    println!("| site | advice, s | simulated too, s | a number from rest over solving again |");
    println!("|---|---|---|---|");
    for (name, text) in SITES {
        let site = site::parse(name, text, &[], &vocabulary).unwrap_or_else(|errors| panic!("{}", errors.render()));
        let advise = |budget: Budget| {
            let ask = Ask { budget, ..Ask::NOTHING };
            advise_confirmed(&site, &vocabulary, &catalog, &calibration, &ask)
        };
        let solved = seconds_of(rounds, || advise(Budget::NONE));
        let simulated = seconds_of(rounds, || advise(Budget::default()));
        let answer = advise(Budget::NONE);
        let ratio = answer.chosen.as_ref().map(|chosen| {
            let (deployment, load) = (&chosen.deployment, &answer.load);
            let rest = Resting::of(deployment, load, 0.0, &catalog, &calibration);
            let rest = rest.unwrap_or_else(|error| panic!("{name}: {error}"));
            let numbers: Vec<&NumberId> = rest.used().keys().take(NUMBERS).collect();
            let near = seconds_of(rounds, || {
                let solved = numbers.iter().map(|number| rest.shifted([(*number, 1.1)]));
                solved.flatten().count()
            });
            let again = seconds_of(rounds, || {
                let solved = numbers.iter().map(|number| {
                    let factors = BTreeMap::from([((*number).clone(), 1.1)]);
                    let lens = Lens::scaling(&factors);
                    predict_through(lens, deployment, load, &catalog, &calibration)
                });
                solved.flatten().count()
            });
            near / again
        });
        let ratio = ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
        println!("| {name} | {solved:.2} | {simulated:.2} | {ratio} |");
    }
    let of_offices = |count: usize| {
        let text = offices(count);
        let site =
            site::parse("offices", &text, &[], &vocabulary).unwrap_or_else(|errors| panic!("{}", errors.render()));
        let ask = Ask::NOTHING;
        seconds_of(rounds, || advise_confirmed(&site, &vocabulary, &catalog, &calibration, &ask))
    };
    let (two, twelve) = (of_offices(2), of_offices(12));
    println!();
    println!("| offices | advice, s | over two |");
    println!("|---|---|---|");
    println!("| 2 | {two:.2} | 1 |");
    println!("| 12 | {twelve:.2} | {:.1} |", twelve / two);
    let site =
        site::parse("arrays", &arrays(ARRAYS), &[], &vocabulary).unwrap_or_else(|errors| panic!("{}", errors.render()));
    let ask = Ask::NOTHING;
    let advise = || advise_confirmed(&site, &vocabulary, &catalog, &calibration, &ask);
    let (solved, seconds) = (advise().solved, seconds_of(rounds, advise));
    println!();
    println!("{ARRAYS} arrays, {solved} deployments: {seconds:.2} s");
}

/// So many arrays for block and file, each with every protocol that it speaks.
const ARRAYS: usize = 16;

fn arrays(count: usize) -> String {
    let arrays = (0..count).map(|array| {
        format!(
            "[[equipment]]\nname = \"Array {array}\"\nkind = \"hybrid block and file\"\nusable = \"{} TB\"\nbandwidth = \"{}00 MB/s\"\ncontrollers = 2\n",
            100 + array,
            20 + array
        )
    });
    let arrays: String = arrays.collect();
    format!(
        "schema = 1\nname = \"Arrays\"\n[people]\ndevelopers = 300\n[infrastructure]\nprotocols = [\"local\", \"nfsv3\", \"nfsv4.1\", \"iscsi\"]\n\
         storage_network = \"eth-25g\"\nclient_network = \"eth-25g\"\nedges_max = 0\n{arrays}"
    )
}

/// 6,000 people, a twentieth of them in each of so many distant offices.
fn offices(count: usize) -> String {
    let offices = (0..count).map(|office| {
        format!(
            "[[people.site]]\nname = \"Office {office}\"\ndevelopers = 300\nround_trip = \"{} ms\"\nbandwidth = \"1 Gb/s\"\n",
            20 + 15 * office
        )
    });
    let offices: String = offices.collect();
    format!("schema = 1\nname = \"Offices\"\n[people]\ndevelopers = 6000\n{offices}[data]\ndb_size = \"600 GB\"\n")
}
