import { grafanaDashboard } from '../../plugins/admin/dashboard/grafana-dashboard.ts'
import type { Page } from './page.ts'

/** The dashboard as a file, for an import without a running service. */
export function renderGrafanaFile(): Page {
  return {
    path: 'deploy/grafana/svc-performance.json',
    content: `${JSON.stringify(grafanaDashboard(), null, 2)}\n`,
  }
}
