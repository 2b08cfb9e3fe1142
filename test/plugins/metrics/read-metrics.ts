/** The samples of an answer in Prometheus text format: `name{labels}` → value. */
export function metricsIn(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z_]+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (name !== undefined) samples.set(name, Number(value))
  }
  return samples
}
