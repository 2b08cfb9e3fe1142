export interface Series {
  readonly name: string
  /** One value per group, in their order; `null` = no bar. */
  readonly values: readonly (number | null)[]
}

export interface BarChart {
  readonly title: string
  /** Unit of the values. */
  readonly axis: string
  readonly groups: readonly string[]
  readonly series: readonly Series[]
  /** A line across all groups, where the comparison stands. */
  readonly reference?: number
  /** Text of a bar when pointed at. */
  readonly describe: (series: Series, group: number) => string
}

/** Distinguishable for colour-blind readers, on white and on black. */
const COLOURS = ['#0d7f5f', '#8a8f98', '#3d7cc9', '#d55e00', '#b8860b', '#a05195']
const WIDTH = 960
const HEIGHT = 420
const PLOT = { left: 56, right: 16, top: 70, bottom: 44 }

/**
 * Grouped bars as an SVG that stands alone: no script, no font, no library. Text and lines follow the reader's light or dark
 * setting.
 */
export function renderBarChart(chart: BarChart): string {
  const { groups, series } = chart
  const highest = Math.max(chart.reference ?? 0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const step = niceStep(highest / 6)
  const top = Math.ceil(highest / step) * step
  const width = WIDTH - PLOT.left - PLOT.right
  const height = HEIGHT - PLOT.top - PLOT.bottom
  const y = (value: number): number => PLOT.top + height - (value / top) * height
  const groupWidth = width / groups.length
  const barWidth = (groupWidth * 0.8) / series.length

  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step)
  const grid = ticks.flatMap((value) => [
    `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${round(y(value))}" y2="${round(y(value))}"/>`,
    `<text x="${PLOT.left - 8}" y="${round(y(value) + 4)}" text-anchor="end">${Number(value.toFixed(6))}</text>`,
  ])
  const bars = series.flatMap((each, s) =>
    each.values.flatMap((value, g) => {
      if (value === null) return []
      const x = PLOT.left + groupWidth * (g + 0.1) + barWidth * s
      const box = `x="${round(x)}" y="${round(y(value))}" width="${round(barWidth - 1)}" height="${round((value / top) * height)}"`
      return [`<rect ${box} fill="${colourOf(s)}"><title>${escapeXml(chart.describe(each, g))}</title></rect>`]
    }),
  )
  const names = groups.map((group, g) => {
    const x = PLOT.left + groupWidth * (g + 0.5)
    return `<text x="${round(x)}" y="${HEIGHT - PLOT.bottom + 20}" text-anchor="middle">${escapeXml(group)}</text>`
  })
  const legend = series.map((each, s) => {
    const x = PLOT.left + (width / series.length) * s
    return `<rect x="${round(x)}" y="40" width="12" height="12" fill="${colourOf(s)}"/><text x="${round(x + 18)}" y="50">${escapeXml(each.name)}</text>`
  })
  const reference =
    chart.reference === undefined
      ? []
      : [
          `<line class="reference" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${round(y(chart.reference))}" y2="${round(y(chart.reference))}"/>`,
        ]
  const middle = round(PLOT.top + height / 2)
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeXml(chart.title)}">`,
    `<title>${escapeXml(chart.title)}</title>`,
    '<style>',
    'text { font: 13px system-ui, sans-serif; fill: #24292f }',
    '.title { font-weight: 600; font-size: 15px }',
    '.grid { stroke: #8a8f98; stroke-opacity: 0.35 }',
    '.reference { stroke: #24292f; stroke-dasharray: 4 3 }',
    '@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .reference { stroke: #e6edf3 } }',
    '</style>',
    `<text class="title" x="${PLOT.left}" y="22">${escapeXml(chart.title)}</text>`,
    ...legend,
    ...grid,
    ...bars,
    ...reference,
    ...names,
    `<text transform="translate(14 ${middle}) rotate(-90)" text-anchor="middle">${escapeXml(chart.axis)}</text>`,
    '</svg>',
  ].join('\n')}\n`
}

const colourOf = (index: number): string => COLOURS[index % COLOURS.length]!

/** 1, 2 or 5 times a power of ten, at least this. */
function niceStep(least: number): number {
  if (least <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5].find((factor) => factor * power >= least * 0.999) ?? 10) * power
}

const round = (value: number): number => Math.round(value * 10) / 10

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)
