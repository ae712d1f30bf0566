//! Arithmetic with 32 elements: polynomials over two elements modulo x⁵ + x² + 1. Addition is XOR.

/// x⁵ + x² + 1.
const MODULUS: u8 = 0b10_0101;

/// The product.
pub(super) const fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a <<= 1;
        if a & 0b10_0000 != 0 {
            a ^= MODULUS;
        }
        b >>= 1;
    }
    product
}

/// αⁿ, where α is x; its powers repeat after 31.
pub(super) fn power(n: usize) -> u8 {
    (0..n % 31).fold(1, |power, _| times(power, 2))
}

/// The quotient by an element that is not zero: its inverse is its 30th power.
pub(super) fn divide(a: u8, b: u8) -> u8 {
    (0..30).fold(a, |product, _| times(product, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_field_and_alpha_generates_it() {
        let mut powers: Vec<u8> = (0..31).map(power).collect();
        powers.sort_unstable();
        assert_eq!(powers, (1..32).collect::<Vec<u8>>());
        for a in 0..32 {
            for b in 1..32 {
                assert_eq!(times(divide(a, b), b), a);
                for c in 0..32 {
                    assert_eq!(times(c, a ^ b), times(c, a) ^ times(c, b));
                }
            }
        }
    }
}
