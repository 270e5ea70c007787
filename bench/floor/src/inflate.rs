//! Gzip members through the fastest libraries there are, each behind one trait.

use std::io;
use std::ptr::NonNull;

use libdeflate_sys as deflate;

/// The largest member. The pages of the buffer past a member are never touched.
const CAPACITY: usize = 256 << 20;

/// A library that inflates.
pub trait Inflate {
    /// Inflates the member at the start of `input` and checks its checksum.
    /// Returns how long it was stored and its bytes.
    fn member(&mut self, input: &[u8]) -> io::Result<(usize, &[u8])>;
}

type New = fn() -> Box<dyn Inflate>;

/// The libraries in this build.
pub const LIBRARIES: &[(&str, New)] = &[
    ("libdeflate", || Box::new(Libdeflate::new())),
    #[cfg(feature = "isal")]
    ("ISA-L", || Box::new(isal::Isal::new())),
];

struct Libdeflate {
    decompressor: NonNull<deflate::libdeflate_decompressor>,
    out: Vec<u8>,
}

impl Libdeflate {
    fn new() -> Self {
        // SAFETY: takes nothing; null means that memory ran out.
        let decompressor = NonNull::new(unsafe { deflate::libdeflate_alloc_decompressor() });
        Self {
            decompressor: decompressor.expect("memory for libdeflate"),
            out: vec![0; CAPACITY],
        }
    }
}

impl Inflate for Libdeflate {
    fn member(&mut self, input: &[u8]) -> io::Result<(usize, &[u8])> {
        let (mut used, mut made) = (0, 0);
        // SAFETY: both buffers are valid for the lengths given, and the decompressor lives.
        let result = unsafe {
            deflate::libdeflate_gzip_decompress_ex(
                self.decompressor.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                self.out.as_mut_ptr().cast(),
                self.out.len(),
                &mut used,
                &mut made,
            )
        };
        if result != deflate::libdeflate_result_LIBDEFLATE_SUCCESS {
            return Err(io::Error::other(format!("libdeflate: {result}")));
        }
        Ok((used, &self.out[..made]))
    }
}

impl Drop for Libdeflate {
    fn drop(&mut self) {
        // SAFETY: made by libdeflate and dropped once.
        unsafe { deflate::libdeflate_free_decompressor(self.decompressor.as_ptr()) }
    }
}

#[cfg(feature = "isal")]
mod isal {
    use std::io;
    use std::mem::MaybeUninit;

    use isal_sys::igzip_lib as igzip;

    pub struct Isal {
        state: Box<igzip::inflate_state>,
        out: Vec<u8>,
    }

    impl Isal {
        pub fn new() -> Self {
            let mut state = Box::new(MaybeUninit::zeroed());
            // SAFETY: the state is plain numbers and pointers, and init sets those that are read.
            let state = unsafe {
                igzip::isal_inflate_init(state.as_mut_ptr());
                state.assume_init()
            };
            Self {
                state,
                out: vec![0; super::CAPACITY],
            }
        }
    }

    impl super::Inflate for Isal {
        fn member(&mut self, input: &[u8]) -> io::Result<(usize, &[u8])> {
            let state = &mut *self.state;
            // SAFETY: both buffers are valid for the lengths given until the call returns.
            let result = unsafe {
                igzip::isal_inflate_reset(state);
                state.crc_flag = igzip::ISAL_GZIP;
                state.next_in = input.as_ptr().cast_mut();
                state.avail_in = u32::try_from(input.len()).unwrap_or(u32::MAX);
                state.next_out = self.out.as_mut_ptr();
                state.avail_out = self.out.len() as u32;
                igzip::isal_inflate(state)
            };
            if result != 0 || state.block_state != igzip::isal_block_state_ISAL_BLOCK_FINISH {
                return Err(io::Error::other(format!("ISA-L: {result}")));
            }
            let given = u32::try_from(input.len()).unwrap_or(u32::MAX);
            let used = (given - state.avail_in) as usize;
            Ok((used, &self.out[..self.out.len() - state.avail_out as usize]))
        }
    }
}
