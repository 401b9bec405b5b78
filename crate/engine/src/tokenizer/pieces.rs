//! What a token looks like on a chip, and what a screen reader says for it.
//!
//! A chip must not show nothing: half the tokens begin with a space, some are a line break, and some are a part of a
//! character. Everything that leaves no ink gets a sign or a code. The signs are not unique (a text may contain "·");
//! the spoken name tells them apart.

/// One token, for display. Neither string is ever empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What is shown: "·the", "⏎", "⟨E2 80⟩". No control or invisible character, and a space only
    /// inside a code in angle brackets.
    pub text: String,
    /// What is said: "space, the", "newline", "bytes E2 80".
    pub spoken: String,
    /// What the token is.
    pub kind: PieceKind,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PieceKind {
    /// Whole characters.
    Text,
    /// At least one byte that is only a part of a character.
    Bytes,
    /// A token that the tokenizer file calls special, such as the end of text.
    Special,
    /// A row of the model that no entry of the tokenizer names.
    Unused,
}

/// An ordinary token with these bytes.
pub(super) fn text(bytes: &[u8]) -> Piece {
    let parts = parts(bytes);
    let partial = parts.iter().any(|part| matches!(part, Part::Bytes(_)));
    Piece {
        text: show(&parts),
        spoken: speak(&parts),
        kind: if partial { PieceKind::Bytes } else { PieceKind::Text },
    }
}

/// A special token, whose content is a name rather than a text.
pub(super) fn special(content: &str) -> Piece {
    let parts = parts(content.as_bytes());
    let spoken = if content == "<|endoftext|>" {
        "end of text".to_owned()
    } else if !content.is_empty() && content.chars().all(|c| look(c) == Look::Plain) {
        content.to_owned()
    } else {
        speak(&parts)
    };
    Piece { text: show(&parts), spoken, kind: PieceKind::Special }
}

/// A row without an entry.
pub(super) fn unused(id: u32) -> Piece {
    Piece { text: format!("⟨unused {id}⟩"), spoken: format!("unused row {id}"), kind: PieceKind::Unused }
}

/// A character, or bytes in a row that are none.
enum Part {
    Char(char),
    Bytes(Vec<u8>),
}

fn parts(bytes: &[u8]) -> Vec<Part> {
    let mut parts = Vec::new();
    for chunk in bytes.utf8_chunks() {
        parts.extend(chunk.valid().chars().map(Part::Char));
        if chunk.invalid().is_empty() {
            continue;
        }
        match parts.last_mut() {
            Some(Part::Bytes(before)) => before.extend_from_slice(chunk.invalid()),
            _ => parts.push(Part::Bytes(chunk.invalid().to_vec())),
        }
    }
    parts
}

/// How a character prints.
#[derive(PartialEq, Eq)]
enum Look {
    Plain,
    /// Prints on the character before it.
    Combining,
    /// White space for which there is a customary sign.
    Sign(char),
    /// Leaves no ink, or is not printable.
    Invisible,
}

fn look(c: char) -> Look {
    match c {
        ' ' => Look::Sign('·'),
        '\n' => Look::Sign('⏎'),
        '\t' => Look::Sign('⇥'),
        '\r' => Look::Sign('␍'),
        '!'..='~' => Look::Plain,
        // Printable by category, and yet blank: joiners, fillers, variation selectors, the empty Braille cell.
        '\u{34F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{2800}' => Look::Invisible,
        '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFA0}' | '\u{E0000}'..='\u{E0FFF}' => Look::Invisible,
        _ => {
            // The standard library knows what prints only through its escapes: it escapes what does not print
            // anywhere, and what combines only where there is nothing before it to combine with.
            let escaped_after_letter = format!("a{c}").escape_debug().nth(1) == Some('\\');
            if escaped_after_letter {
                Look::Invisible
            } else if c.escape_debug().len() > 1 {
                Look::Combining
            } else {
                Look::Plain
            }
        }
    }
}

fn show(parts: &[Part]) -> String {
    let mut shown = String::new();
    let mut has_base = false;
    for part in parts {
        let plain = match part {
            Part::Bytes(bytes) => {
                shown.push_str(&format!("⟨{}⟩", hex(bytes)));
                false
            }
            Part::Char(c) => match look(*c) {
                Look::Sign(sign) => {
                    shown.push(sign);
                    false
                }
                Look::Invisible => {
                    shown.push_str(&format!("⟨{}⟩", code(*c)));
                    false
                }
                Look::Combining => {
                    if !has_base {
                        // Unicode's own stand-in for a letter; else the mark would sit on the chip's border.
                        shown.push('◌');
                    }
                    shown.push(*c);
                    true
                }
                Look::Plain => {
                    shown.push(*c);
                    true
                }
            },
        };
        has_base = plain;
    }
    if shown.is_empty() { "⟨empty⟩".to_owned() } else { shown }
}

fn speak(parts: &[Part]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut rest = parts;
    while let [first, ..] = rest {
        let used = match first {
            Part::Bytes(bytes) => {
                let noun = if bytes.len() == 1 { "byte" } else { "bytes" };
                words.push(format!("{noun} {}", hex(bytes)));
                1
            }
            Part::Char(c) => match name(*c) {
                Some(name) => {
                    let count = count_while(rest, |other| other == *c);
                    words.push(if count == 1 { name.one } else { format!("{count} {}", name.many) });
                    count
                }
                None => {
                    // A mark after a letter belongs to the word, although by itself it would have a name.
                    let count = 1 + count_while(rest.get(1..).unwrap_or_default(), |other| {
                        look(other) == Look::Combining || name(other).is_none()
                    });
                    let word = rest.iter().take(count).filter_map(|part| match part {
                        Part::Char(c) => Some(*c),
                        Part::Bytes(_) => None,
                    });
                    words.push(word.collect());
                    count
                }
            },
        };
        rest = rest.get(used..).unwrap_or_default();
    }
    if words.is_empty() { "empty token".to_owned() } else { words.join(", ") }
}

fn count_while(parts: &[Part], accept: impl Fn(char) -> bool) -> usize {
    parts.iter().take_while(|part| matches!(part, Part::Char(c) if accept(*c))).count()
}

/// What is said for a character, alone and after a number.
struct Name {
    one: String,
    many: String,
}

/// `None` for what a screen reader says by itself: letters, digits, emoji.
fn name(c: char) -> Option<Name> {
    let named = NAMES.iter().find(|(named, ..)| *named == c);
    if let Some((_, one, many)) = named {
        let many = if many.is_empty() { format!("{one}s") } else { (*many).to_owned() };
        return Some(Name { one: (*one).to_owned(), many });
    }
    let (one, many) = match look(c) {
        Look::Plain => return None,
        Look::Combining => ("combining mark", "combining marks"),
        Look::Sign(_) | Look::Invisible => ("character", "characters"),
    };
    Some(Name { one: format!("{one} {}", code(c)), many: format!("{many} {}", code(c)) })
}

/// Character, name, and plural where it is not the name with an s. Screen readers skip most of these.
const NAMES: &[(char, &str, &str)] = &[
    (' ', "space", ""),
    ('\n', "newline", ""),
    ('\t', "tab", ""),
    ('\r', "carriage return", ""),
    ('!', "exclamation mark", ""),
    ('"', "quotation mark", ""),
    ('#', "hash", "hashes"),
    ('$', "dollar sign", ""),
    ('%', "percent sign", ""),
    ('&', "ampersand", ""),
    ('\'', "apostrophe", ""),
    ('(', "opening bracket", ""),
    (')', "closing bracket", ""),
    ('*', "asterisk", ""),
    ('+', "plus sign", ""),
    (',', "comma", ""),
    ('-', "hyphen", ""),
    ('.', "full stop", ""),
    ('/', "slash", "slashes"),
    (':', "colon", ""),
    (';', "semicolon", ""),
    ('<', "less-than sign", ""),
    ('=', "equals sign", ""),
    ('>', "greater-than sign", ""),
    ('?', "question mark", ""),
    ('@', "at sign", ""),
    ('[', "opening square bracket", ""),
    ('\\', "backslash", "backslashes"),
    (']', "closing square bracket", ""),
    ('^', "caret", ""),
    ('_', "underscore", ""),
    ('`', "backtick", ""),
    ('{', "opening curly bracket", ""),
    ('|', "vertical bar", ""),
    ('}', "closing curly bracket", ""),
    ('~', "tilde", ""),
    ('\u{A0}', "no-break space", ""),
    ('\u{AD}', "soft hyphen", ""),
    ('·', "middle dot", ""),
    ('\u{200B}', "zero-width space", ""),
    ('\u{200C}', "zero-width non-joiner", ""),
    ('\u{200D}', "zero-width joiner", ""),
    ('–', "en dash", "en dashes"),
    ('—', "em dash", "em dashes"),
    ('‘', "opening single quotation mark", ""),
    ('’', "closing single quotation mark", ""),
    ('“', "opening quotation mark", ""),
    ('”', "closing quotation mark", ""),
    ('•', "bullet", ""),
    ('…', "ellipsis", "ellipses"),
    ('\u{FEFF}', "byte order mark", ""),
    ('\u{FFFD}', "replacement character", ""),
];

fn code(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    digits.join(" ")
}
