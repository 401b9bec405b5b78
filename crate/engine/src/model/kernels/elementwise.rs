//! Layer norm, activations, sums: everything that is not a matrix product or attention.

use super::exp;
use super::lanes::{Arithmetic, Fastest, LANES, Lanes};
use crate::config::Activation;

/// Vectors that are worked on side by side where many operations follow each other.
pub(super) const SIDE_BY_SIDE: usize = 4;

/// Applies a function to every number: `several` to most of them, and `f`, the same for one vector, to the last.
#[inline(always)]
pub fn map<L: Lanes>(
    values: &mut [f32],
    several: impl Fn([L; SIDE_BY_SIDE]) -> [L; SIDE_BY_SIDE],
    f: impl Fn(L) -> L,
) {
    let (vectors, rest) = values.as_chunks_mut::<LANES>();
    let (blocks, vectors) = vectors.as_chunks_mut::<SIDE_BY_SIDE>();
    for block in blocks {
        let results = several(block.each_ref().map(L::load));
        for (result, vector) in results.into_iter().zip(block) {
            result.store(vector);
        }
    }
    for vector in vectors {
        f(L::load(vector)).store(vector);
    }
    f(L::load_some(rest, 0.0)).store_some(rest);
}

/// values + others, number by number.
pub fn add(values: &mut [f32], others: &[f32]) {
    for (value, other) in values.iter_mut().zip(others) {
        *value += other;
    }
}

/// The sum of `f` of every number. Eight running sums, number `i` in sum `i % 8`; the last, short vector is filled up
/// with `rest`, for which `f` must be 0.
#[inline(always)]
fn sum<L: Lanes>(values: &[f32], rest: f32, f: impl Fn(L) -> L) -> f32 {
    let (mut even, mut odd) = (L::splat(0.0), L::splat(0.0));
    let (blocks, tail) = values.as_chunks::<8>();
    for block in blocks {
        let ([low, high], _) = block.as_chunks::<LANES>() else { continue };
        even = even.add(f(L::load(low)));
        odd = odd.add(f(L::load(high)));
    }
    let (low, high) = tail.split_at(tail.len().min(LANES));
    even = even.add(f(L::load_some(low, rest)));
    odd = odd.add(f(L::load_some(high, rest)));
    even.add(odd).sum()
}

/// Mean 0 and variance 1, then a weight and a bias for each of the h dimensions: `x [h]` to `out [h]` (Ba et al., "Layer
/// Normalization", 2016).
pub fn layer_norm(x: &[f32], weight: &[f32], bias: &[f32], eps: f32, out: &mut [f32]) {
    layer_norm_on::<Fastest>(x, weight, bias, eps, out);
}

/// [`layer_norm`] on a given kind of lanes.
#[inline(always)]
pub fn layer_norm_on<L: Lanes>(x: &[f32], weight: &[f32], bias: &[f32], eps: f32, out: &mut [f32]) {
    let count = x.len() as f32;
    let mean = sum::<L>(x, 0.0, |x| x) / count;
    let squares = sum::<L>(x, mean, |x| {
        let centred = x.sub(L::splat(mean));
        centred.mul(centred)
    });
    let scale = 1.0 / (squares / count + eps).sqrt();
    for (((out, x), weight), bias) in out.iter_mut().zip(x).zip(weight).zip(bias) {
        *out = (x - mean) * scale * weight + bias;
    }
}

/// Adds `bias [f]` to each row of `rows [t, f]` and applies the activation.
pub fn bias_and_activation(rows: &mut [f32], bias: &[f32], activation: Activation) {
    for row in rows.chunks_exact_mut(bias.len().max(1)) {
        add(row, bias);
    }
    activate_on::<Fastest>(rows, activation);
}

/// The activation of every number, on a given kind of lanes.
#[inline(always)]
pub fn activate_on<L: Lanes>(values: &mut [f32], activation: Activation) {
    match activation {
        Activation::Gelu => map::<L>(values, gelu, gelu),
        Activation::GeluTanh => map::<L>(values, gelu_tanh, gelu_tanh),
        Activation::Relu => map::<L>(values, relu, relu),
    }
}

#[inline(always)]
fn relu<A: Arithmetic>(x: A) -> A {
    x.if_less(A::splat(0.0), A::splat(0.0), x)
}

/// e to the power of x: the steps of [`exp::exp`], many at a time.
#[inline(always)]
pub fn exp<A: Arithmetic>(x: A) -> A {
    let overflow = A::splat(exp::OVERFLOW);
    let result = exp_of_negative(overflow.if_less(x, overflow, x));
    x.if_number(x.if_less(overflow, result, A::splat(f32::INFINITY)))
}

/// [`exp()`] where x is known to be at most 0, or the NaN that arithmetic makes: one with more bits in it may come out as
/// another one, or as a number.
#[inline(always)]
pub fn exp_of_negative<A: Arithmetic>(x: A) -> A {
    let round = A::splat(exp::ROUND_TO_INTEGER);
    let shifted = x.mul(A::splat(std::f32::consts::LOG2_E)).add(round);
    let n = shifted.sub(round);
    let r = x.sub(n.mul(A::splat(exp::LN_2_HIGH))).sub(n.mul(A::splat(exp::LN_2_LOW)));
    let tail = polynomial(r, &exp::POLYNOMIAL);
    let fraction = tail.mul(r.mul(r)).add(r).add(A::splat(1.0));
    // There is no clamp as in the scalar one: what lies below the range holds nonsense by now, and is replaced.
    x.zero_if_less(A::splat(exp::UNDERFLOW), shifted.shift_into_exponent_of(fraction))
}

/// The first coefficient belongs to the highest power.
#[inline(always)]
fn polynomial<A: Arithmetic, const N: usize>(x: A, coefficients: &[f32; N]) -> A {
    let mut sum = A::splat(coefficients[0]);
    for coefficient in &coefficients[1..] {
        sum = sum.mul(x).add(A::splat(*coefficient));
    }
    sum
}

/// p(a) with 2 Φ(-a) = p(a)^-8 for a >= 0: coefficients of a^8, a^7, ... 1. Fitted by least squares, reweighted until the
/// largest error of the GELU that comes of it (5e-8 before rounding) was as small as it gets.
const TAIL: [f32; 9] = [
    2.932_497_2e-6,
    -1.674_726_4e-5,
    9.758_245e-5,
    1.113_500_9e-4,
    9.806_636e-4,
    8.591_63e-3,
    4.478_88e-2,
    9.973_25e-2,
    1.0,
];

/// x Φ(x), with the exact normal distribution: x on the right and 0 on the left, less |x| Φ(-|x|).
///
/// The reciprocal of a power of a polynomial (after C. Hastings) needs no exponential, and falls to 0 as Φ does.
#[inline(always)]
pub fn gelu<A: Arithmetic>(x: A) -> A {
    let zero = A::splat(0.0);
    let a = x.larger(zero.sub(x));
    let p = polynomial(a, &TAIL);
    let p_squared = p.mul(p);
    let p_to_the_4 = p_squared.mul(p_squared);
    let tail = a.mul(A::splat(0.5)).div(p_to_the_4.mul(p_to_the_4));
    x.larger(zero).sub(tail)
}

/// x (1 + tanh y) / 2 with y = √(2/π) (x + 0.044715 x³). Written as x / (1 + e^(-2y)), which is the same and needs one
/// exponential.
#[inline(always)]
pub fn gelu_tanh<A: Arithmetic>(x: A) -> A {
    const MINUS_TWICE_ROOT_OF_2_BY_PI: f32 = -1.595_769;
    let cube = x.mul(x).mul(x);
    let y = x.add(cube.mul(A::splat(0.044_715)));
    x.div(A::splat(1.0).add(exp(y.mul(A::splat(MINUS_TWICE_ROOT_OF_2_BY_PI)))))
}
