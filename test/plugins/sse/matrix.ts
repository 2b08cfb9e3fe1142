import type { App } from '../../../core/app.ts'
import type { Attempt, MatrixPart } from '../../conformance/matrix/cells.ts'

const ask =
  (method: 'GET' | 'POST', url: string) =>
  (app: App, { query, selection, headers, address }: Attempt) => {
    const text = `{ ${query} { id ${selection} } }`
    const accept = { ...headers, accept: 'text/event-stream' }
    return method === 'GET'
      ? app.inject({ method, url: `${url}?query=${encodeURIComponent(text)}`, headers: accept, address })
      : app.inject({ method, url, headers: accept, body: { query: text }, address })
  }

/** Columns of the matrix (test/conformance/matrix): operations over server-sent events. */
export const matrix: MatrixPart = {
  entrances: [
    { name: 'SSE POST', routes: ['POST /graphql/stream'], ask: ask('POST', '/graphql/stream') },
    { name: 'SSE GET', routes: ['GET /graphql/stream'], ask: ask('GET', '/graphql/stream') },
  ],
}
