import type { MatrixPart } from '../../conformance/matrix/cells.ts'
import { API_KEY, bearer, KEYLESS, tokenOf, withClaims } from '../../conformance/matrix/tokens.ts'

const FLOOD = { address: '127.9.113.7' }
const GUESSES = { address: '127.9.113.8' }
const FORGERIES = { address: '127.9.113.9' }
const FORGED = bearer(`${tokenOf()}x`)

/** Rows of the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  rules: [
    {
      name: 'A bucket that is empty',
      plugins: ['rate-limiting'],
      query: { public: true },
      kept: () => ({ headers: {}, ...FLOOD }),
      let: () => withClaims(),
      async prepare(app) {
        const ask = () => app.inject({ url: '/graphql?query={__typename}', ...FLOOD })
        for (let i = 0; i < 100; i++) if ((await ask()).status === 429) return
        throw new Error('Nothing empties the bucket.')
      },
    },
    {
      name: 'An address that guessed keys too often, with a good one',
      plugins: ['rate-limiting'],
      query: { public: true },
      kept: () => ({ headers: { 'x-api-key': API_KEY }, ...GUESSES }),
      let: () => ({ headers: { 'x-api-key': API_KEY } }),
      shut: KEYLESS,
      async prepare(app) {
        const headers = { 'x-api-key': `${API_KEY}x` }
        for (let i = 0; i < 12; i++) await app.inject({ url: '/graphql?query={__typename}', headers, ...GUESSES })
      },
    },
    {
      name: 'An address that forged tokens too often, with another one',
      plugins: ['rate-limiting'],
      query: { public: true },
      kept: () => ({ headers: FORGED, ...FORGERIES }),
      let: () => ({ ...withClaims(), ...FORGERIES }),
      async prepare(app) {
        for (let i = 0; i < 12; i++)
          await app.inject({ url: '/graphql?query={__typename}', headers: FORGED, ...FORGERIES })
      },
    },
  ],
}
