/* SPDX-License-Identifier: MIT */
/*
 * erfinv.c - the inverse of the error function, which the C library does not have.
 */
#include <math.h>

double simt_erfinv(double x);
double simt_erfcinv(double x);

/*
 * Where erfc(y) = x, for 0 < x <= 1. Starts from a rough formula (S. Winitzki) and corrects it by
 * Halley's method, which triples the right digits in each step.
 */
static double upper(double x)
{
    const double a = 0.147, two_by_root_pi = 1.12837916709551257390;
    const double l = log(x) + log(2.0 - x);
    const double b = 2.0 / (3.14159265358979323846 * a) + l / 2.0;
    double y = sqrt(sqrt(b * b - l / a) - b);
    for (int i = 0; i < 4; i++) {
        const double slope = two_by_root_pi * exp(-y * y);
        const double step = (erfc(y) - x) / slope;
        if (!(slope > 0.0))
            break;
        y += step / (1.0 - y * step);
    }
    return y;
}

/* -inf and inf at the ends of the range 0 ... 2, NaN outside. */
double simt_erfcinv(double x)
{
    if (!(x > 0.0 && x < 2.0))
        return x == 0.0 ? HUGE_VAL : x == 2.0 ? -HUGE_VAL : NAN;
    return x <= 1.0 ? upper(x) : -upper(2.0 - x);
}

/* Near 0 the detour by 1 - x would lose digits: Newton's method on erf itself. */
double simt_erfinv(double x)
{
    const double half_root_pi = 0.88622692545275801365;
    if (!(fabs(x) < 0.5))
        return x < 0.0 ? -simt_erfcinv(1.0 + x) : simt_erfcinv(1.0 - x);
    double y = half_root_pi * x;
    for (int i = 0; i < 6; i++)
        y -= (erf(y) - x) * half_root_pi * exp(y * y);
    return y;
}
