import type { MatrixPart } from '../../conformance/matrix/cells.ts'
import { tokenOf } from '../../conformance/matrix/tokens.ts'

const cookie = (): string => `__Host-access_token=${tokenOf({ tenant: 'ann' })}`

/** Rows and columns of the matrix (test/conformance/matrix). */
export const matrix: MatrixPart = {
  rules: [
    {
      name: 'The cookie of a session, from a page of another origin',
      plugins: ['oauth'],
      kept: () => ({ headers: { cookie: cookie(), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } }),
      let: () => ({ headers: { cookie: cookie(), 'sec-fetch-site': 'same-origin' } }),
    },
  ],
  entrances: [
    {
      name: '/auth/me',
      routes: ['GET /auth/me'],
      nothing: 'what the caller brought',
      ask: (app, { headers, address }) => app.inject({ url: '/auth/me', headers, address }),
    },
    {
      name: '/auth/start … logout',
      routes: [
        'GET /auth/start',
        'POST /auth/start',
        'GET /auth/callback',
        'POST /auth/callback',
        'POST /auth/refresh',
        'POST /auth/logout',
      ],
      nothing: 'the way to a token (test/plugins/oauth)',
      ask: (app, { headers, address }) => app.inject({ url: '/auth/callback', headers, address }),
    },
  ],
}
