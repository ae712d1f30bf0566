//! Quantiles of the standard normal distribution.
//!
//! A length takes one draw whatever its distribution, so that changing the distribution moves no
//! other draw; and a draw in the middle costs no transcendental function.

use tokenyard_det::math;

/// Numerator and denominator by rising powers, from Wichura 1988 (algorithm AS 241, PPND16).
type Ratio = ([f64; 8], [f64; 8]);

const MIDDLE: Ratio = (
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
);
const NEAR: Ratio = (
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
);
const FAR: Ratio = (
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
);

/// The value below which a standard normal variable falls with probability `p`, correct to about
/// 16 digits. `p` outside of (0, 1) is taken as the nearest double inside.
pub(super) fn quantile(p: f64) -> f64 {
    let p = p.clamp(5.0e-17, 1.0 - f64::EPSILON / 2.0);
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(&MIDDLE, 0.180_625 - q * q);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = (-math::ln(tail)).sqrt();
    let size = if r <= 5.0 { ratio(&NEAR, r - 1.6) } else { ratio(&FAR, r - 5.0) };
    if q < 0.0 { -size } else { size }
}

fn ratio((up, down): &Ratio, x: f64) -> f64 {
    polynomial(up, x) / polynomial(down, x)
}

/// By halves (Estrin), which lets a processor work on several terms at once.
fn polynomial([a, b, c, d, e, f, g, h]: &[f64; 8], x: f64) -> f64 {
    let square = x * x;
    let low = (a + b * x) + (c + d * x) * square;
    let high = (e + f * x) + (g + h * x) * square;
    low + high * (square * square)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (p, x) in [
            (0.5, 0.0),
            (0.6, 0.253_347_103_135_799_8),
            (0.975, 1.959_963_984_540_054),
            (0.999, 3.090_232_306_167_813_5),
            (1e-5, -4.264_890_793_922_825),
            (1e-12, -7.034_483_825_301_131),
        ] {
            assert!((quantile(p) - x).abs() < 1e-13, "{p}: {}", quantile(p));
        }
        assert!((quantile(0.075) + quantile(0.925)).abs() < 1e-14);
        assert!(quantile(0.0).is_finite() && quantile(1.0).is_finite());
    }

    /// The pieces meet: no step where the formula changes.
    #[test]
    fn it_rises_everywhere() {
        let values: Vec<f64> = (1..100_000).map(|i| quantile(f64::from(i) / 100_000.0)).collect();
        assert!(values.windows(2).all(|w| w[0] < w[1]));
        let edge = 0.5 - 0.425;
        assert!((quantile(edge - 1e-12) - quantile(edge + 1e-12)).abs() < 1e-10);
    }
}
