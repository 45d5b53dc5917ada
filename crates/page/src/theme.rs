//! Colours of charts and diagrams: the same roles in a light and a dark theme.
//!
//! Series take the colours of Okabe and Ito (2008), which people with colour-blindness tell apart, darker on paper where they would be too pale for lines; how
//! busy something is takes one hue from pale to deep, so that lightness alone says it.

use crate::pen::Ink;

/// Typefaces of pictures: Inter where the page carries it, else one that is no wider by much.
pub(crate) const FONTS: &str = "Plimsoll Inter, Inter, Helvetica, Arial, sans-serif";

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// As in CSS and SVG: `#0072B2`.
    ///
    /// ```
    /// assert_eq!(plimsoll_page::Rgb(0, 114, 178).hex(), "#0072B2");
    /// ```
    pub fn hex(self) -> String {
        format!("#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// Steps of the scale of utilisation.
pub(crate) const STEPS: usize = 5;

/// The colours of one theme, by role. No two roles of the light theme have the same colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Behind everything.
    pub paper: Rgb,
    /// Boxes on it.
    pub card: Rgb,
    /// Text and axes.
    pub ink: Rgb,
    /// Text that stands back.
    pub muted: Rgb,
    /// Grids and edges of boxes.
    pub line: Rgb,
    /// What is looked at.
    pub accent: Rgb,
    /// Well.
    pub good: Rgb,
    /// Careful.
    pub warning: Rgb,
    /// Limits, targets, what is wrong.
    pub limit: Rgb,
    /// Series of a chart, in turn.
    pub series: [Rgb; 7],
    /// How busy: from idle to full.
    pub busy: [Rgb; STEPS],
    /// Text on each of them.
    pub on_busy: [Rgb; STEPS],
}

impl Theme {
    /// Dark on light: paper and projectors.
    pub const LIGHT: Self = Self {
        paper: Rgb(255, 255, 255),
        card: Rgb(247, 249, 251),
        ink: Rgb(27, 38, 49),
        muted: Rgb(93, 107, 120),
        line: Rgb(216, 223, 230),
        accent: Rgb(11, 92, 143),
        good: Rgb(0, 122, 90),
        warning: Rgb(154, 91, 0),
        limit: Rgb(168, 50, 12),
        series: [
            Rgb(0, 114, 178),
            Rgb(213, 94, 0),
            Rgb(0, 158, 115),
            Rgb(166, 79, 132),
            Rgb(179, 128, 0),
            Rgb(47, 143, 196),
            Rgb(77, 77, 77),
        ],
        busy: [Rgb(232, 240, 246), Rgb(188, 213, 231), Rgb(124, 173, 208), Rgb(46, 120, 173), Rgb(8, 61, 105)],
        on_busy: [Rgb(28, 39, 50), Rgb(28, 39, 51), Rgb(16, 28, 40), Rgb(254, 255, 255), Rgb(255, 254, 255)],
    };

    /// Light on dark: screens at night.
    pub const DARK: Self = Self {
        paper: Rgb(18, 24, 31),
        card: Rgb(26, 34, 43),
        ink: Rgb(230, 236, 242),
        muted: Rgb(154, 168, 181),
        line: Rgb(52, 63, 75),
        accent: Rgb(110, 184, 232),
        good: Rgb(63, 199, 155),
        warning: Rgb(232, 163, 61),
        limit: Rgb(255, 146, 108),
        series: [
            Rgb(92, 173, 226),
            Rgb(240, 132, 62),
            Rgb(58, 199, 156),
            Rgb(224, 160, 196),
            Rgb(242, 188, 74),
            Rgb(150, 212, 246),
            Rgb(170, 170, 170),
        ],
        busy: [Rgb(33, 45, 57), Rgb(34, 75, 107), Rgb(41, 111, 160), Rgb(96, 168, 216), Rgb(190, 224, 246)],
        on_busy: [Rgb(229, 236, 242), Rgb(230, 235, 242), Rgb(255, 255, 255), Rgb(12, 24, 34), Rgb(12, 24, 35)],
    };

    /// The colour of a role; series are as many as anybody tells apart, then they begin again.
    pub fn of(&self, ink: Ink) -> Rgb {
        match ink {
            Ink::Paper => self.paper,
            Ink::Card => self.card,
            Ink::Text => self.ink,
            Ink::Muted => self.muted,
            Ink::Line => self.line,
            Ink::Accent => self.accent,
            Ink::Good => self.good,
            Ink::Warning => self.warning,
            Ink::Limit => self.limit,
            Ink::Series(index) => self.series[index % self.series.len()],
            Ink::Busy(busy) => self.busy[busy_step(busy)],
            Ink::OnBusy(busy) => self.on_busy[busy_step(busy)],
        }
    }

    /// Every role's colour, in one order for all themes.
    fn roles(&self) -> Vec<Rgb> {
        let single =
            [self.paper, self.card, self.ink, self.muted, self.line, self.accent, self.good, self.warning, self.limit];
        single.into_iter().chain(self.series).chain(self.busy).chain(self.on_busy).collect()
    }

    /// Style rules that give a picture drawn in this theme the colours of another.
    pub fn recoloured(&self, other: &Self) -> String {
        let mut out = String::new();
        for (from, to) in self.roles().into_iter().zip(other.roles()) {
            let (from, to) = (from.hex(), to.hex());
            line!(out, "svg [fill=\"{from}\"]{{fill:{to}}}svg [stroke=\"{from}\"]{{stroke:{to}}}");
        }
        out
    }
}

/// The step of the scale for a utilisation: below 20 %, 40 %, 60 %, 80 %, and above.
fn busy_step(busy: f64) -> usize {
    ((busy * STEPS as f64) as usize).min(STEPS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2.1).
    fn luminance(c: Rgb) -> f64 {
        let linear = |v: u8| {
            let s = f64::from(v) / 255.0;
            if s <= 0.04045 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(c.0) + 0.7152 * linear(c.1) + 0.0722 * linear(c.2)
    }

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_is_readable_and_lightness_alone_orders_the_scale() {
        for theme in [Theme::LIGHT, Theme::DARK] {
            for text in [theme.ink, theme.muted, theme.accent, theme.good, theme.warning, theme.limit] {
                assert!(contrast(text, theme.paper) >= 4.5, "{text:?}");
                assert!(contrast(text, theme.card) >= 4.5, "{text:?}");
            }
            for (fill, text) in theme.busy.into_iter().zip(theme.on_busy) {
                assert!(contrast(fill, text) >= 4.5, "{fill:?} {text:?}");
            }
            let from_paper: Vec<f64> = theme.busy.map(|c| contrast(c, theme.paper)).to_vec();
            assert!(from_paper.is_sorted(), "{from_paper:?}");
        }
    }

    #[test]
    fn a_colour_of_the_light_theme_has_one_role() {
        let mut roles: Vec<String> = Theme::LIGHT.roles().iter().map(|c| c.hex()).collect();
        let count = roles.len();
        roles.sort();
        roles.dedup();
        assert_eq!(roles.len(), count);
    }

    #[test]
    fn full_is_the_last_step() {
        assert_eq!([0.0, 0.19, 0.2, 0.81, 1.0, 7.0].map(busy_step), [0, 0, 1, 4, 4, 4]);
    }
}
