import type { MetricsFormat } from './render-metrics.ts'

const OPEN = 'application/openmetrics-text'

/** RFC 9110, 12.5.1, between the two formats: OpenMetrics where it is named, and wanted as much as the plain one. */
export function formatOf(accept: string | readonly string[] | undefined): MetricsFormat {
  const ranges = String(accept ?? '')
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const q = parameters.find((part) => part.startsWith('q='))?.slice(2)
      const version = parameters.find((part) => part.startsWith('version='))?.slice('version='.length)
      return { type, version, quality: q === undefined ? 1 : Number(q) || 0 }
    })
  const best = (fits: (range: (typeof ranges)[number]) => boolean): number =>
    Math.max(0, ...ranges.filter(fits).map(({ quality }) => quality))
  const open = best(({ type, version }) => type === OPEN && (version === undefined || version === '1.0.0'))
  const plain = best(({ type }) => type === 'text/plain')
  return open > 0 && open >= plain ? 'openmetrics' : 'prometheus'
}
