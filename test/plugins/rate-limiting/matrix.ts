import type { MatrixPart } from '../../conformance/matrix/cells.ts'
import { tokenOf, withClaims } from '../../conformance/matrix/tokens.ts'

const FLOOD = { address: '203.0.113.7' }
const GUESSES = { address: '203.0.113.8' }

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
      name: 'An address that failed to log in too often, with a good token',
      plugins: ['rate-limiting'],
      kept: () => ({ ...withClaims(), ...GUESSES }),
      let: () => withClaims(),
      async prepare(app) {
        const headers = { authorization: `Bearer ${tokenOf()}x` }
        for (let i = 0; i < 12; i++) await app.inject({ url: '/graphql?query={__typename}', headers, ...GUESSES })
      },
    },
  ],
}
