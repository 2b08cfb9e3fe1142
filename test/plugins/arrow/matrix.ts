import type { App } from '../../../core/service/app.ts'
import type { Attempt, MatrixEntrance, MatrixPart } from '../../conformance/matrix/cells.ts'

/** Rows are flat: of what is selected below a field, the field is asked for, and refused. */
const columnsOf = ({ selection }: Attempt): string[] => ['id', selection.split(' ')[0] ?? '']

const entrance = (name: string, ask: MatrixEntrance['ask']): MatrixEntrance => ({ name, ask })

/** Columns of the matrix (test/conformance/matrix). The routes come with the schema; texts stand in a stream as they are. */
export const matrix: MatrixPart = {
  entrances: [
    entrance('Arrow GET', (app: App, attempt) =>
      app.inject({
        url: `/arrow/v1/${attempt.columnar}?columns=${columnsOf(attempt)}`,
        headers: attempt.headers,
        address: attempt.address,
      }),
    ),
    entrance('Arrow POST', (app: App, attempt) =>
      app.inject({
        method: 'POST',
        url: `/arrow/v1/${attempt.columnar}`,
        headers: attempt.headers,
        address: attempt.address,
        body: { columns: columnsOf(attempt) },
      }),
    ),
  ],
}
