use super::*;

#[test]
fn smoke() {
    let mut s = Sketcher::new(80, 1);
    let mut a = vec![0; 80];
    s.sketch(&[1, 2], &[32768, 32767], &mut a);
    let mut b = vec![0; 80];
    s.sketch(&[2, 1], &[32767, 32768], &mut b);
    assert_eq!(a, b);
}
