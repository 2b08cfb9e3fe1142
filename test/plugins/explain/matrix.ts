import type { MatrixPart } from '../../conformance/matrix/cells.ts'

/** A column of the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  entrances: [
    {
      name: '/api/v1/admin/explain',
      routes: ['POST /api/v1/admin/explain'],
      nothing: 'for operators: the SQL of an operation, and none of its rows',
      ask: (app, { query, headers, address }) =>
        app.inject({
          method: 'POST',
          url: '/api/v1/admin/explain',
          headers,
          body: { query: `{ ${query} { secret } }` },
          address,
        }),
    },
  ],
}
