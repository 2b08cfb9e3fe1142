/** The middle of the values, or the mean of the two in the middle. @throws RangeError for none */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('no median of no values')
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2
}

/** Nearest rank. @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError('no percentile of no values')
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? sorted[0]!
}

/**
 * How the cost `y` grows with the size `x`: the exponent of `y = a · x^k`, by least squares over the logarithms. 1 is
 * linear, 2 quadratic, 0 constant.
 */
export function growthExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)] as const)
  const mean = (index: 0 | 1): number => logs.reduce((sum, p) => sum + p[index], 0) / logs.length
  const mx = mean(0)
  const my = mean(1)
  const up = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0)
  return up / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
}
