import type { MatrixPart } from '../../conformance/matrix/cells.ts'

/** A column of the matrix (test/conformance/matrix). Its routes come with the schema. */
export const matrix: MatrixPart = {
  entrances: [
    {
      name: 'REST read',
      routes: [],
      ask(app, { query, selection, headers, address }) {
        const select = `id,${selection.replaceAll(' { ', '(').replaceAll(' }', ')')}`
        return app.inject({ url: `/rest/v1/${query}?select=${select}`, headers, address })
      },
    },
  ],
}
