import type { MatrixPart } from '../../conformance/matrix/cells.ts'

const PAGE = ['', '/start.js', '/page.css', '/swagger-ui.js', '/swagger-ui.css'].map((path) => `GET /openapi${path}`)

/** A column of the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  entrances: [
    {
      name: '/openapi',
      routes: ['GET /rest/v1/openapi.json', ...PAGE],
      nothing: 'describes the API, and gives no rows',
      ask: (app, { headers, address }) => app.inject({ url: '/rest/v1/openapi.json', headers, address }),
    },
  ],
}
