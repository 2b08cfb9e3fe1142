import type { MatrixPart } from '../../conformance/matrix/cells.ts'

const GET = ['cache/stats', 'config', 'grafana-dashboard'].map((path) => `GET /api/v1/admin/${path}`)
const POST = ['reload-schema', 'cache/clear'].map((path) => `POST /api/v1/admin/${path}`)

export const ADMIN_TOKEN = 'a-token-of-the-operators-of-the-matrix'

/** A column of the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  toml: `[server.admin]\nenabled = true\ntoken = "${ADMIN_TOKEN}"\n`,
  entrances: [
    {
      name: '/api/v1/admin/…',
      routes: [...GET, ...POST],
      nothing: 'for operators, with tokens of their own; no rows',
      ask: (app, { headers, address }) => app.inject({ url: '/api/v1/admin/config', headers, address }),
    },
  ],
}
