//! Writing markup in which everything from outside is text.
//!
//! Names of elements and attributes are words of this program (`&'static str`); what comes at run time
//! can only become text or the value of an attribute, and both are escaped on their way. Control
//! characters and marks that turn the direction of writing are replaced as on a terminal. So no input
//! can open an element, close one, or leave an attribute. What is written is well-formed XML as well as
//! HTML.

use plimsoll_ground::diag::harmless;

/// A document being written.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    text: String,
    open: Vec<&'static str>,
}

/// A picture that was written by this program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Svg(String);

impl Svg {
    /// The `<svg>` element, as it stands in HTML or, alone, in a file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An attribute: its name and what it is.
pub(crate) type Attribute<'v> = (&'static str, &'v str);

impl Markup {
    /// Begins with what a program of ours has drawn.
    pub(crate) fn after(drawn: String) -> Self {
        Self { text: drawn, open: Vec::new() }
    }

    /// Opens an element.
    pub(crate) fn open(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) -> &mut Self {
        self.tag(tag, attributes);
        self.text.push('>');
        self.open.push(tag);
        self
    }

    /// Closes the element that was opened last.
    pub(crate) fn close(&mut self) -> &mut Self {
        if let Some(tag) = self.open.pop() {
            self.text.push_str("</");
            self.text.push_str(tag);
            self.text.push_str(">\n");
        }
        self
    }

    /// An element without content.
    pub(crate) fn empty(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) -> &mut Self {
        self.tag(tag, attributes);
        self.text.push_str("/>");
        self
    }

    /// An element with text.
    pub(crate) fn element(&mut self, tag: &'static str, attributes: &[Attribute<'_>], text: &str) -> &mut Self {
        self.open(tag, attributes).text(text).close()
    }

    /// Text.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.text.push_str(&escaped(text));
        self
    }

    /// A picture.
    pub(crate) fn picture(&mut self, svg: &Svg) -> &mut Self {
        self.text.push_str(&svg.0);
        self
    }

    /// A style sheet; it must hold no `<` or `&`, which HTML and XML read differently there.
    pub(crate) fn style(&mut self, sheet: &str) -> &mut Self {
        debug_assert!(!sheet.contains(['<', '&']), "a style sheet without markup");
        self.open("style", &[]);
        self.text.push_str(&sheet.replace(['<', '&'], ""));
        self.close()
    }

    fn tag(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.text.push_str(&escaped(value));
            self.text.push('"');
        }
    }

    /// What was written, with everything closed.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    /// The same as a picture or a part of one.
    pub(crate) fn into_svg(self) -> Svg {
        Svg(self.finish())
    }
}

/// Text of characters that XML has and that no screen obeys.
pub(crate) fn characters(text: &str) -> String {
    harmless(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Text that cannot be read as markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in characters(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A coordinate: two decimals are finer than any screen.
pub(crate) fn number(x: f64) -> String {
    let shown = format!("{x:.2}");
    shown.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Advance widths of Inter in its semibold weight, the typeface that a report carries, from blank to tilde \[1/1000 of its size\].
const WIDTHS: [u16; 95] = [
    248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 291, 466, 290, 379, 670, 670, 670, 670, 669, 670, 670,
    670, 670, 670, 290, 289, 673, 673, 673, 544, 999, 724, 657, 744, 724, 608, 586, 755, 744, 275, 561, 677, 566, 906,
    741, 775, 643, 776, 651, 649, 660, 734, 724, 1007, 690, 705, 653, 393, 379, 393, 481, 468, 497, 575, 630, 577, 630,
    593, 377, 625, 613, 261, 261, 569, 261, 898, 610, 608, 625, 625, 397, 549, 380, 608, 576, 837, 562, 576, 562, 393,
    358, 393, 673,
];

/// How wide text is in the semibold typeface, in units of the font's size; the regular one is narrower.
///
/// ```
/// assert!((plimsoll_page::text_width("81 %") - 2.432).abs() < 1e-9);
/// ```
pub fn text_width(text: &str) -> f64 {
    let of = |c: char| match c {
        ' '..='~' => f64::from(WIDTHS[c as usize - 0x20]) / 1000.0,
        '\u{202f}' => 0.17,
        '·' => 0.29,
        '×' | '−' | '≤' => 0.68,
        '\u{a0}'..='\u{24f}' => 0.76,
        // No letter that the typeface has is wider than an em and a third; those of others are about an em.
        c if (c as u32) >= 0x1100 => 1.0,
        _ => 0.96,
    };
    text.chars().map(of).sum()
}

/// As much of a text as fits `width` units of the font's size, with an ellipsis where some is missing.
pub(crate) fn fitted(text: &str, width: f64) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = text_width("…");
    for c in text.chars() {
        used += text_width(c.encode_utf8(&mut [0; 4]));
        if used > width {
            break;
        }
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_outside_stays_text() {
        let mut page = Markup::default();
        let bad = "\"><script>alert('1')</script>&amp;\u{202e}\u{1b}";
        page.element("p", &[("title", bad)], bad);
        assert_eq!(
            page.finish(),
            "<p title=\"&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;\u{fffd}\u{fffd}\">\
             &quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;\u{fffd}\u{fffd}</p>\n"
        );
    }

    #[test]
    fn long_text_is_cut_to_its_room() {
        let long = "n".repeat(300);
        let cut = fitted(&long, 10.0);
        assert!(cut.ends_with('…') && text_width(&cut) <= 10.0, "{cut}");
        assert_eq!(fitted("short", 10.0), "short");
    }
}
