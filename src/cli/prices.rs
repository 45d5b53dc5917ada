//! `--prices FILE.csv`: a price list, laid over the site file's own as an override.

use std::path::{Path, PathBuf};

use clap::Args;

use super::SiteArguments;
use super::failure::Failure;
use super::session::{Library, Session};
use crate::diag::{harmless_line, nearest_in_words, quoted};
use crate::document;
use crate::site::{Money, Per, Vocabulary, Words};
use crate::units::{Bytes, Quantity as _};

#[derive(Debug, Clone, Args)]
pub(super) struct PriceList {
    /// A price list in place of the site file's: CSV with the columns item, price and, if wanted, unit and size; see
    /// docs/prices.md
    #[arg(long, value_name = "FILE.csv")]
    prices: Option<PathBuf>,
}

/// Columns of a list; the first two are needed.
const COLUMNS: [&str; 4] = ["item", "price", "unit", "size"];
/// Most rows of a list.
const ROWS_MAX: usize = 2000;

impl PriceList {
    /// Reads a site with the list as an override.
    pub(super) fn open(&self, library: Library, arguments: &SiteArguments) -> Result<Session, Failure> {
        let mut arguments = arguments.clone();
        if let Some(path) = &self.prices {
            let list = list(path, &library.vocabulary)?;
            arguments.set.push(format!("price=[{}]", list.join(", ")));
        }
        library.with_site(&arguments)
    }
}

/// The rows of a list as inline tables; or what is wrong with it, and where.
fn list(path: &Path, vocabulary: &Vocabulary) -> Result<Vec<String>, String> {
    let text = document::read_text(path).map_err(|error| error.to_string())?;
    let name = harmless_line(&path.to_string_lossy());
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((_, head)) = lines.next() else {
        return Err(format!("{name} is empty; its first line names the columns: item,price,unit,size"));
    };
    let separator = if head.contains(';') { ';' } else { ',' };
    let heads = cells(head, separator).ok_or_else(|| format!("{name}:1: a quotation mark is not closed"))?;
    let mut places = [None; COLUMNS.len()];
    for (place, head) in heads.iter().enumerate() {
        let word = head.to_lowercase();
        let known = COLUMNS.iter().position(|column| *column == word);
        let Some(known) = known else {
            let near = nearest_in_words(&word, COLUMNS);
            return Err(format!(
                "{name}:1: no column is called {}; the columns are item, price, unit and size{near}",
                quoted(head)
            ));
        };
        if places[known].replace(place).is_some() {
            return Err(format!("{name}:1: two columns are called {:?}", COLUMNS[known]));
        }
    }
    for needed in [0, 1] {
        if places[needed].is_none() {
            return Err(format!("{name}:1: the column {:?} is missing", COLUMNS[needed]));
        }
    }
    let known: Vec<&str> = vocabulary.words(Words::Anything);
    let mut before = Vec::new();
    let mut read = |at: &str, line: &str| {
        let cells = cells(line, separator).ok_or_else(|| format!("{at}: a quotation mark is not closed"))?;
        if cells.len() != heads.len() {
            return Err(format!("{at}: {} cells, and the first line names {} columns", cells.len(), heads.len()));
        }
        let cell = |column: usize| places[column].map_or("", |place| cells[place].as_str());
        let row_cells = [cell(0), cell(1), cell(2), cell(3)];
        let table = row(at, row_cells, &known)?;
        fits(at, row_cells, &mut before, vocabulary)?;
        Ok(table)
    };
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        match read(&format!("{name}:{}", number + 1), line) {
            Ok(table) => rows.push(table),
            Err(error) => wrong.push(error),
        }
        if rows.len() + wrong.len() > ROWS_MAX {
            return Err(format!("{name}: more than {ROWS_MAX} prices"));
        }
    }
    // All that is wrong at once: a list is mended in one pass.
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    if rows.is_empty() {
        return Err(format!("{name} has no prices below its first line"));
    }
    Ok(rows)
}

/// One row as an inline table.
fn row(at: &str, [item, price, unit, size]: [&str; 4], known: &[&str]) -> Result<String, String> {
    let is_own = item.starts_with("own-");
    if !is_own && !known.contains(&item) {
        // As a bill prints it: "m6i.xlarge" is aws-m6i-xlarge.
        let plain = item.to_lowercase().replace(['.', ' ', '_'], "-");
        let ends = |id: &&&str| plain.len() > 2 && id.ends_with(&plain);
        let near = known
            .iter()
            .find(ends)
            .map_or_else(|| nearest_in_words(item, known.iter().copied()), |id| format!("; did you mean {id:?}?"));
        return Err(format!("{at}: {} is no item that has a price{near}", quoted(item)));
    }
    if Money::parse(price).is_none() {
        return Err(format!(
            "{at}: found {}, a price is a number from 0 to 1,000,000,000 without commas and the three capital letters of \
             its currency, such as 900 EUR",
            quoted(price)
        ));
    }
    let mut table = format!("{{ item = {}, price = {}", in_quotes(item), in_quotes(price));
    if !unit.is_empty() {
        if Per::of_word(unit).is_none() {
            return Err(format!("{at}: {} is no unit; units are {}", quoted(unit), Per::WORDS.join(", ")));
        }
        table = format!("{table}, unit = {}", in_quotes(unit));
    }
    if !size.is_empty() {
        Bytes::parse(size).map_err(|error| format!("{at}: {error}"))?;
        table = format!("{table}, size = {}", in_quotes(size));
    }
    Ok(format!("{table} }}"))
}

/// What a row prices, and where it stands.
struct Known {
    at: String,
    item: String,
    unit: String,
    size: Option<f64>,
    currency: String,
}

/// Whether a row fits its item and the rows before it; these then have it too.
fn fits(
    at: &str,
    [item, price, unit, size]: [&str; 4],
    before: &mut Vec<Known>,
    vocabulary: &Vocabulary,
) -> Result<(), String> {
    let stated = Per::of_word(unit);
    let unit = if item.starts_with("own-") {
        // Systems of the site file are not known here; the site checks their units.
        stated.map_or(String::new(), |per| per.word().to_owned())
    } else {
        let per = Per::unit_of(item, stated, vocabulary).map_err(|allowed| {
            format!("{at}: {item} has no price by {}; its units are {}", quoted(unit), allowed.join(", "))
        })?;
        per.word().to_owned()
    };
    let found = Known {
        at: at.to_owned(),
        item: item.to_owned(),
        unit,
        size: Bytes::parse(size).ok().map(Bytes::get),
        currency: Money::parse(price).map_or(String::new(), |money| money.currency),
    };
    let same = |other: &&Known| (&other.item, &other.unit, other.size) == (&found.item, &found.unit, found.size);
    if let Some(other) = before.iter().find(same) {
        return Err(format!("{at}: {item} has two prices for the same unit and size; the first is {}", other.at));
    }
    if let Some(first) = before.first()
        && first.currency != found.currency
    {
        return Err(format!(
            "{at}: all prices must be in one currency; found {}, and the first is in {}",
            found.currency, first.currency
        ));
    }
    before.push(found);
    Ok(())
}

/// A text as TOML and JSON both write it.
fn in_quotes(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The cells of a line (RFC 4180, without line ends inside of quotes); none where a quotation mark is not closed.
fn cells(line: &str, separator: char) -> Option<Vec<String>> {
    let mut cells = vec![String::new()];
    let mut inside = false;
    let mut rest = line.trim_end_matches('\r').chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if inside && rest.peek() == Some(&'"') => {
                rest.next();
                cells.last_mut()?.push('"');
            }
            '"' => inside = !inside,
            c if c == separator && !inside => cells.push(String::new()),
            c => cells.last_mut()?.push(c),
        }
    }
    (!inside).then(|| cells.iter().map(|cell| cell.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::cells;

    #[test]
    fn quotes_hold_separators_and_quotes() {
        let found = cells("nvme, \"900 EUR\" ,\"a,\"\"b\"\"\"\r", ',').unwrap_or_default();
        assert_eq!(found, ["nvme", "900 EUR", "a,\"b\""]);
        assert_eq!(cells("a;b,c", ';').unwrap_or_default(), ["a", "b,c"]);
        assert!(cells("\"open", ',').is_none());
    }
}
