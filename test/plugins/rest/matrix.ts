import type { Attempt, MatrixPart } from '../../conformance/matrix/cells.ts'

export const fieldsOf = ({ selection }: Pick<Attempt, 'selection'>): string =>
  `select=id,${selection.replaceAll(' { ', '(').replaceAll(' }', ')')}`
/** Otherwise what was written need not be told. */
const TOLD = { prefer: 'return=representation' }

/** Columns of the matrix (test/conformance/matrix). The routes come with the schema. */
export const matrix: MatrixPart = {
  entrances: [
    {
      name: 'REST read',
      restKinds: ['collection'],
      ask(app, attempt) {
        const { query, headers, address } = attempt
        return app.inject({ url: `/rest/v1/${query}?${fieldsOf(attempt)}`, headers, address })
      },
    },
    {
      name: 'REST one row',
      restKinds: ['single'],
      ask(app, attempt) {
        const { query, key, headers, address } = attempt
        return app.inject({ url: `/rest/v1/${query}/${key}?${fieldsOf(attempt)}`, headers, address })
      },
    },
    {
      name: 'REST stream (NDJSON)',
      restKinds: ['collection'],
      ask(app, attempt) {
        const { query, headers, address } = attempt
        const accept = { accept: 'application/x-ndjson' }
        return app.inject({
          url: `/rest/v1/${query}?${fieldsOf(attempt)}`,
          headers: { ...headers, ...accept },
          address,
        })
      },
    },
    {
      name: 'REST write',
      restKinds: ['update'],
      writes: true,
      ask(app, attempt) {
        const { query, key, headers, address, mark } = attempt
        const url = `/rest/v1/${query}/${key}?${fieldsOf(attempt)}`
        return app.inject({ method: 'PATCH', url, headers: { ...headers, ...TOLD }, body: { note: mark }, address })
      },
    },
    {
      name: 'REST write of a whole row',
      restKinds: ['replace'],
      writes: true,
      ask(app, attempt) {
        const { query, key, headers, address, mark } = attempt
        const url = `/rest/v1/${query}/${key}?${fieldsOf(attempt)}`
        const body = { owner: 'ann', secret: 'x', note: mark }
        return app.inject({ method: 'PUT', url, headers: { ...headers, ...TOLD }, body, address })
      },
    },
    {
      name: 'REST bulk',
      restKinds: ['update-many'],
      writes: true,
      ask(app, attempt) {
        const { query, key, headers, address, mark } = attempt
        const url = `/rest/v1/${query}?id=${key}&${fieldsOf(attempt)}`
        return app.inject({ method: 'PATCH', url, headers: { ...headers, ...TOLD }, body: { note: mark }, address })
      },
    },
  ],
}
