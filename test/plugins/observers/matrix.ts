import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../core/service/app.ts'
import type { Attempt, MatrixPart, Told } from '../../conformance/matrix/cells.ts'

/** What observers are sent of a change that somebody asks for. */
async function ask(app: App, attempt: Attempt): Promise<Told> {
  const { mutation, key, mark, headers, address, selection, observed, patienceMs } = attempt
  // Whatever the caller is shown, the observer is sent the row.
  const shown = selection === 'secret' ? 'id' : `id ${selection}`
  const query = `mutation ($id: ID!, $note: String) { ${mutation}(id: $id, input: { note: $note }) { ${shown} } }`
  const body = { query, variables: { id: key, note: mark } }
  const { status } = await app.inject({ method: 'POST', url: '/graphql', headers, body, address })
  const end = Date.now() + patienceMs
  while (observed(mark) === '' && Date.now() < end) await sleep(20)
  return { status, text: observed(mark) }
}

/** A column of the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  entrances: [
    {
      name: 'observer payload',
      routes: ['POST /graphql'],
      writes: true,
      author: 'observers act for the author: they are sent the whole row, whoever changed it',
      ask,
    },
  ],
  harmless: { observers: 'told of writes after they are done' },
}
