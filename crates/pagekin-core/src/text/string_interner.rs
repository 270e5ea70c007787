//! String interner: an open-addressing hash table that numbers strings in order of first sight.

use xxhash_rust::xxh3::xxh3_64;

/// Strings by number and numbers by string.
#[derive(Debug, Default)]
pub struct StringInterner {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// The upper half of the hash, and the number plus one, by the hash.
    slots: Vec<u64>,
    /// The contents of the slots, in order of first sight.
    placed: Vec<u64>,
}

/// What the first slot for a string holds.
#[derive(Debug, Clone, Copy)]
pub struct SlotProbe {
    hash: u64,
    slot: u64,
}

impl SlotProbe {
    /// The hash by which a string is looked up.
    pub fn hash(text: &[u8]) -> u64 {
        xxh3_64(text)
    }
}

const SMALLEST: usize = 1 << 10;
const UPPER_HALF: u64 = 0xffff_ffff_0000_0000;

impl StringInterner {
    /// The number of `text`, which is added if it is new.
    pub fn intern(&mut self, text: &[u8]) -> u32 {
        self.intern_hashed(SlotProbe::hash(text), text)
    }

    /// Fetches the first slot for the string with this [`SlotProbe::hash`]. Fetching the slots of
    /// many strings before [`StringInterner::intern_probed`] lets them wait for memory together.
    #[inline]
    pub fn probe(&self, hash: u64) -> SlotProbe {
        let at = start_of(hash) & self.slots.len().wrapping_sub(1);
        let slot = self.slots.get(at).copied().unwrap_or(0);
        SlotProbe { hash, slot }
    }

    /// The number of a probed string, which is added if it is new.
    pub fn intern_probed(&mut self, probe: SlotProbe, text: &[u8]) -> u32 {
        match self.number_in(probe.slot, probe.hash, text) {
            Some(number) => number,
            None => self.intern_hashed(probe.hash, text),
        }
    }

    /// The string with this number.
    pub fn get(&self, number: u32) -> &str {
        std::str::from_utf8(self.bytes_of(number)).unwrap_or_default()
    }

    /// The bytes of the string with this number.
    #[inline]
    pub fn bytes_of(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = if number == 0 {
            0
        } else {
            self.ends[number - 1] as usize
        };
        &self.bytes[start..self.ends[number] as usize]
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Roughly its size in memory.
    pub fn bytes_held(&self) -> usize {
        self.bytes.len() + self.ends.len() * 4 + (self.slots.len() + self.placed.len()) * 8
    }

    /// Drops all strings and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.slots.fill(0);
        self.placed.clear();
    }

    fn add(&mut self, text: &[u8]) -> u32 {
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len() as u32);
        self.ends.len() as u32 - 1
    }

    fn intern_hashed(&mut self, hash: u64, text: &[u8]) -> u32 {
        if self.placed.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = start_of(hash) & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                let number = self.add(text);
                self.slots[at] = (hash & UPPER_HALF) | u64::from(number + 1);
                self.placed.push(self.slots[at]);
                return number;
            }
            if let Some(number) = self.number_in(slot, hash, text) {
                return number;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number in a slot, if it is that of this string.
    #[inline]
    fn number_in(&self, slot: u64, hash: u64, text: &[u8]) -> Option<u32> {
        let number = (slot as u32).checked_sub(1)?;
        ((slot ^ hash) & UPPER_HALF == 0 && self.bytes_of(number) == text).then_some(number)
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(SMALLEST);
        self.slots.fill(0);
        self.slots.resize(size, 0);
        for &slot in &self.placed {
            place(&mut self.slots, start_of(slot), slot);
        }
    }
}

/// Linear probing: fills the first free slot from `start` on.
#[inline]
pub(super) fn place<T: Copy + Default + PartialEq>(slots: &mut [T], start: usize, slot: T) {
    let mask = slots.len() - 1;
    let mut at = start & mask;
    while slots[at] != T::default() {
        at = (at + 1) & mask;
    }
    slots[at] = slot;
}

/// Where the search for a string starts, by its hash or its slot, which share the upper half.
#[inline]
fn start_of(hash: u64) -> usize {
    (hash >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probe_stays_valid_while_strings_are_added() {
        let mut strings = StringInterner::default();
        let text = |number: usize| format!("http://a.example/{}", number % 3000).into_bytes();
        for start in (0..9000).step_by(1000) {
            let probes: Vec<_> = (start..start + 1000)
                .map(|number| strings.probe(SlotProbe::hash(&text(number))))
                .collect();
            for (number, probe) in (start..).zip(probes) {
                let number_of_text = strings.intern_probed(probe, &text(number));
                assert_eq!(number_of_text as usize, number % 3000);
                assert_eq!(strings.bytes_of(number_of_text), text(number));
            }
        }
        assert_eq!((strings.len(), strings.intern(b"")), (3000, 3000));
        strings.clear();
        assert_eq!(strings.intern(&text(7)), 0);
    }
}
