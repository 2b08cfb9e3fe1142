import { EVENT_ROWS } from './event-rows.ts'
import type { Panel } from './panel.ts'
import { PANELS } from './panels.ts'
import { ROWS } from './rows.ts'

const COLUMNS = 2
const WIDTH = 24 / COLUMNS
const HEIGHT = 8
/** The Prometheus data source, chosen when the dashboard is imported. */
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }

/**
 * Builds the dashboard of `GET /grafana-dashboard`, in the format that Grafana imports (schema version 39).
 * @returns a new object that is safe to serialise as JSON
 */
export function grafanaDashboard(): object {
  return {
    uid: 'svc-performance',
    title: 'SVC Performance',
    description: 'Requests, latency, caches and the database of svc.',
    tags: ['svc'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [
        {
          name: 'datasource',
          label: 'Data source',
          type: 'datasource',
          query: 'prometheus',
          current: {},
          hide: 0,
          includeAll: false,
          multi: false,
        },
      ],
    },
    annotations: { list: [] },
    panels: layOut(),
  }
}

/** Places the panels that are always shown, then the folded rows. */
function layOut(): readonly object[] {
  let id = 0
  let y = 0
  const place = (panels: readonly Panel[]): readonly object[] => {
    const top = y
    y += Math.ceil(panels.length / COLUMNS) * HEIGHT
    return panels.map((panel, i) => toPanel(panel, ++id, i, top))
  }
  const first = place(PANELS)
  const rows = [...EVENT_ROWS, ...ROWS].map(({ title, panels }) => {
    const row = { id: ++id, type: 'row', title, collapsed: true, gridPos: { x: 0, y: y++, w: 24, h: 1 } }
    // Panels in a folded row take no space until the row is opened.
    const below = y
    const inside = place(panels)
    y = below
    return { ...row, panels: inside }
  })
  return [...first, ...rows]
}

function toPanel({ title, description, unit, queries }: Panel, id: number, i: number, top: number): object {
  return {
    id,
    type: 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    gridPos: { x: (i % COLUMNS) * WIDTH, y: top + Math.floor(i / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: {
      defaults: { unit, min: 0, custom: { lineWidth: 1, fillOpacity: 8, showPoints: 'never' } },
      overrides: [],
    },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, place) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + place),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  }
}
