//! Common character references (HTML Standard, section 13.5) and their text.

use std::collections::HashMap;
use std::sync::LazyLock;

use html5gum::{Token, Tokenizer};
use memchr::memchr;

/// Names of common references; html5gum says what they stand for.
const NAMES: &str = "nbsp quot amp lt gt ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo laquo raquo lsaquo rsaquo \
    hellip bull middot copy reg trade deg plusmn times divide minus frac12 frac14 frac34 sup1 sup2 sup3 micro para \
    sect pound euro cent yen iexcl iquest acute cedil uml macr not shy ordf ordm larr rarr uarr darr harr prime Prime \
    Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde \
    Ograve Oacute Ocirc Otilde Ouml Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml \
    aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml \
    oslash ugrave uacute ucirc uuml yacute thorn yuml OElig oelig Scaron scaron alpha beta gamma delta epsilon \
    theta kappa lambda mu nu pi rho tau chi sigma omega Delta Omega apos dagger brvbar thinsp lrm";
/// The longest of them.
const LONGEST_NAME: usize = 7;
/// Maximum number of digits.
const LONGEST_NUMBER: usize = 6;

static TEXTS: LazyLock<HashMap<&'static [u8], Vec<u8>>> = LazyLock::new(|| {
    let names = NAMES.split_ascii_whitespace();
    names
        .map(|name| (name.as_bytes(), resolved(name)))
        .collect()
});

/// The text that html5gum gives for a reference.
fn resolved(name: &str) -> Vec<u8> {
    let reference = format!("&{name};");
    let tokens = Tokenizer::new(&reference).flatten();
    let texts = tokens.filter_map(|token| match token {
        Token::String(text) => Some(text.value.to_vec()),
        _ => None,
    });
    texts.collect::<Vec<_>>().concat()
}

/// The text that a reference at the start of `html` stands for, and the reference's length;
/// `buffer` is room for the text. Nothing if the reference is rare.
pub(super) fn read_reference<'a>(
    html: &[u8],
    buffer: &'a mut [u8; 4],
) -> Option<(&'a [u8], usize)> {
    if html.get(1) == Some(&b'#') {
        let (letter, length) = numbered(html)?;
        return Some((letter.encode_utf8(buffer).as_bytes(), length));
    }
    let name = &html[1..html.len().min(LONGEST_NAME + 2)];
    let length = memchr(b';', name)?;
    Some((TEXTS.get(&name[..length])?, length + 2))
}

/// The character of a numeric reference, and the reference's length.
fn numbered(html: &[u8]) -> Option<(char, usize)> {
    let hexadecimal = matches!(html.get(2), Some(b'x' | b'X'));
    let (radix, start) = if hexadecimal { (16, 3) } else { (10, 2) };
    let rest = &html[start..html.len().min(start + LONGEST_NUMBER + 1)];
    let length = memchr(b';', rest).filter(|&length| length > 0)?;
    let mut digits = rest[..length]
        .iter()
        .map(|&byte| char::from(byte).to_digit(radix));
    let number = digits.try_fold(0, |number, digit| Some(number * radix + digit?))?;
    // Some control characters stand for other characters.
    let is_control = number < 0x20 || (0x7f..0xa0).contains(&number);
    let character = char::from_u32(number).filter(|_| !is_control)?;
    Some((character, start + length + 1))
}
