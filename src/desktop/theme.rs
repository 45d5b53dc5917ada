//! How everything looks: colours, type, spacing. No other file of the window names a colour or a size of type.
//!
//! What a picture of the report has as well, [`page::Theme`] colours.

use egui::{
    Color32, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Stroke, Style, TextStyle,
    Theme as Mode, Vec2, Visuals,
};

use crate::page::{self, Rgb, pen::Ink};

/// The look's colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theme {
    /// Whether it is light on dark.
    pub is_dark: bool,
    /// Behind everything.
    pub ground: Color32,
    /// The rail and the bars.
    pub rail: Color32,
    /// What stands on the ground.
    pub card: Color32,
    /// Fields to type in.
    pub field: Color32,
    /// Lines between things.
    pub line: Color32,
    /// Text.
    pub text: Color32,
    /// Text that explains.
    pub muted: Color32,
    /// The accent.
    pub accent: Color32,
    /// The colours of pictures: the report's, on a card.
    pub pictures: page::Theme,
    /// Behind what is chosen.
    pub accent_faint: Color32,
    /// Text on the accent.
    pub on_accent: Color32,
    /// Well.
    pub good: Color32,
    /// Careful.
    pub warning: Color32,
    /// Wrong.
    pub bad: Color32,
}

const fn shown(Rgb(red, green, blue): Rgb) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

impl Theme {
    /// Dark on light.
    pub const LIGHT: Self = Self {
        is_dark: false,
        ground: rgb(0xf4_f5f7),
        rail: rgb(0xfb_fbfc),
        card: rgb(0xff_ffff),
        field: rgb(0xff_ffff),
        line: shown(page::Theme::LIGHT.line),
        text: shown(page::Theme::LIGHT.ink),
        muted: shown(page::Theme::LIGHT.muted),
        accent: shown(page::Theme::LIGHT.accent),
        pictures: page::Theme { paper: Rgb(255, 255, 255), card: Rgb(251, 251, 252), ..page::Theme::LIGHT },
        accent_faint: rgb(0xdd_ecf5),
        on_accent: rgb(0xff_ffff),
        good: shown(page::Theme::LIGHT.good),
        warning: shown(page::Theme::LIGHT.warning),
        bad: shown(page::Theme::LIGHT.limit),
    };

    /// Light on dark.
    pub const DARK: Self = Self {
        is_dark: true,
        ground: rgb(0x10_151b),
        rail: rgb(0x15_1b23),
        card: rgb(0x1a_212a),
        field: rgb(0x12_181f),
        line: shown(page::Theme::DARK.line),
        text: shown(page::Theme::DARK.ink),
        muted: shown(page::Theme::DARK.muted),
        accent: shown(page::Theme::DARK.accent),
        pictures: page::Theme { paper: Rgb(26, 33, 42), card: Rgb(21, 27, 35), ..page::Theme::DARK },
        accent_faint: rgb(0x1d_3a4d),
        on_accent: rgb(0x08_1520),
        good: shown(page::Theme::DARK.good),
        warning: shown(page::Theme::DARK.warning),
        bad: shown(page::Theme::DARK.limit),
    };

    /// The one that is shown.
    pub fn of(ui: &egui::Ui) -> &'static Self {
        if ui.visuals().dark_mode { &Self::DARK } else { &Self::LIGHT }
    }

    /// A colour of pictures by its role.
    pub fn of_ink(&self, ink: Ink) -> Color32 {
        shown(self.pictures.of(ink))
    }

    /// How busy something is, in \[0, 1\].
    pub fn busy(&self, utilization: f64) -> Color32 {
        self.of_ink(Ink::Busy(utilization))
    }

    /// Text that can be read on [`Theme::busy`].
    pub fn on_busy(&self, utilization: f64) -> Color32 {
        self.of_ink(Ink::OnBusy(utilization))
    }

    /// The part of a bar that is not busy.
    pub fn idle(&self) -> Color32 {
        if self.is_dark { rgb(0x22_2f3b) } else { rgb(0xe9_f0f5) }
    }

    /// The colour of a series.
    pub fn series(&self, index: usize) -> Color32 {
        self.of_ink(Ink::Series(index))
    }

    /// A colour seen through.
    pub fn faded(color: Color32, share: f32) -> Color32 {
        color.gamma_multiply(share)
    }

    fn visuals(&self) -> Visuals {
        let mut v = if self.is_dark { Visuals::dark() } else { Visuals::light() };
        v.override_text_color = Some(self.text);
        v.weak_text_color = Some(self.muted);
        v.panel_fill = self.ground;
        v.window_fill = self.card;
        v.window_stroke = Stroke::new(1.0, self.line);
        v.window_corner_radius = CornerRadius::same(10);
        v.menu_corner_radius = CornerRadius::same(8);
        v.extreme_bg_color = self.field;
        v.text_edit_bg_color = Some(self.field);
        v.faint_bg_color = self.rail;
        v.code_bg_color = self.rail;
        v.hyperlink_color = self.accent;
        v.warn_fg_color = self.warning;
        v.error_fg_color = self.bad;
        v.selection.bg_fill = self.accent_faint;
        v.selection.stroke = Stroke::new(1.5, self.accent);
        v.slider_trailing_fill = true;
        // A caret that blinks paints the whole window twice a second.
        v.text_cursor.blink = false;
        v.striped = false;
        let radius = CornerRadius::same(6);
        let w = &mut v.widgets;
        for (widget, fill, line) in [
            (&mut w.noninteractive, self.card, self.line),
            (&mut w.inactive, self.field, self.line),
            (&mut w.hovered, self.accent_faint, self.accent),
            (&mut w.active, self.accent_faint, self.accent),
            (&mut w.open, self.accent_faint, self.accent),
        ] {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.bg_stroke = Stroke::new(1.0, line);
            widget.fg_stroke = Stroke::new(1.0, self.text);
            widget.corner_radius = radius;
            widget.expansion = 0.0;
        }
        w.inactive.bg_fill = self.line;
        w.active.bg_stroke = Stroke::new(2.0, self.accent);
        v
    }
}

/// The title of a panel.
pub fn title() -> TextStyle {
    TextStyle::Heading
}

/// The title of a part of a panel.
pub fn subtitle() -> TextStyle {
    TextStyle::Name("subtitle".into())
}

/// The headline of the recommendation.
pub fn verdict() -> TextStyle {
    TextStyle::Name("verdict".into())
}

/// A number that is meant to be read across a room.
pub fn figure() -> TextStyle {
    TextStyle::Name("figure".into())
}

/// Strong text.
pub fn strong() -> FontFamily {
    FontFamily::Name("strong".into())
}

/// Text of tables against other text.
pub const DENSE: f32 = 0.93;

/// Spacing: multiples of four.
pub const GAP: f32 = 8.0;
/// Between parts of a panel.
pub const WIDE_GAP: f32 = 20.0;

/// Gives both looks to a context.
pub fn apply(ctx: &egui::Context) {
    ctx.set_fonts(fonts());
    for (mode, theme) in [(Mode::Light, Theme::LIGHT), (Mode::Dark, Theme::DARK)] {
        let mut style = Style { visuals: theme.visuals(), ..Style::default() };
        style.text_styles = [
            (TextStyle::Heading, FontId::new(24.0, strong())),
            (subtitle(), FontId::new(16.0, strong())),
            (verdict(), FontId::new(20.0, strong())),
            (figure(), FontId::new(26.0, strong())),
            (TextStyle::Body, FontId::new(14.5, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(14.5, FontFamily::Proportional)),
            (TextStyle::Small, FontId::new(12.5, FontFamily::Proportional)),
            (TextStyle::Monospace, FontId::new(13.5, FontFamily::Monospace)),
        ]
        .into();
        style.spacing.item_spacing = Vec2::new(GAP, 6.0);
        style.spacing.button_padding = Vec2::new(10.0, 5.0);
        style.spacing.window_margin = Margin::same(16);
        style.spacing.menu_margin = Margin::same(8);
        style.spacing.interact_size = Vec2::new(40.0, 26.0);
        style.spacing.slider_width = 180.0;
        style.spacing.combo_width = 160.0;
        // Beside what is scrolled and not upon it.
        style.spacing.scroll = egui::style::ScrollStyle::floating();
        style.spacing.scroll.floating_allocated_width = 12.0;
        ctx.set_style_of(mode, style);
    }
}

fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let inter = [
        ("inter", FontData::from_static(include_bytes!("../../assets/fonts/Inter-Regular.otf"))),
        ("inter-semibold", FontData::from_static(include_bytes!("../../assets/fonts/Inter-SemiBold.otf"))),
    ];
    for (name, data) in inter {
        fonts.font_data.insert(name.to_owned(), data.into());
    }
    let usual = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let before = |first: &str| {
        let first = [first.to_owned()].into_iter();
        first.chain(usual.iter().cloned()).collect::<Vec<String>>()
    };
    fonts.families.insert(FontFamily::Proportional, before("inter"));
    fonts.families.insert(strong(), before("inter-semibold"));
    fonts
}
