import type { Panel } from './panel.ts'
import { PANELS } from './panels.ts'

const COLUMNS = 2
const WIDTH = 24 / COLUMNS
const HEIGHT = 8
/** Whoever imports the dashboard chooses which Prometheus it asks. */
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }

/**
 * `GET /grafana-dashboard` (behaviours 15): a dashboard of schema version 39 as Grafana imports it.
 * @returns a fresh object, JSON
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
    panels: PANELS.map(toPanel),
  }
}

function toPanel({ title, description, unit, queries }: Panel, i: number): object {
  return {
    id: i + 1,
    type: 'timeseries',
    title,
    description,
    datasource: DATASOURCE,
    gridPos: { x: (i % COLUMNS) * WIDTH, y: Math.floor(i / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
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
