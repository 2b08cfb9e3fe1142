import { hs256, nowSecs } from '../../plugins/jwt/who.ts'
import { API_KEY, tokenOf } from '../matrix/tokens.ts'
import { PASS } from './pass.ts'

export type Headers = Readonly<Record<string, string | readonly string[]>>

/** A kind of credential, as a client sends it. */
export interface Member {
  /** Says who is asking. */
  readonly good: () => Headers
  /** Other spellings of the same. */
  readonly alike: Readonly<Record<string, () => Headers>>
  /** Each is refused, also where nobody has to say who is asking; `nobody`: it counts as none. */
  readonly bad: Readonly<Record<string, () => Headers>>
  readonly nobody: Readonly<Record<string, () => Headers>>
  /** Header that caches have to tell callers apart by. */
  readonly vary: string
  /** What a client puts into `connection_init` of a WebSocket; `null`: it cannot. */
  readonly payload: ((headers: Headers) => object) | null
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const cookie = (token: string): Headers => ({
  cookie: `theme=dark; __Host-access_token=${token}`,
  'sec-fetch-site': 'same-origin',
})
const good = () => tokenOf({ tenant: 'ann' })
const flipped = (): string => {
  const token = good()
  const at = token.lastIndexOf('.') + 5
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
}
const unsigned = (): string => {
  const [, claims] = good().split('.')
  return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
}
/** What is wrong with a token, wherever it stands. */
const BAD_TOKENS: Readonly<Record<string, () => string>> = {
  'no token': () => 'garbage',
  'of two parts': () => good().split('.').slice(0, 2).join('.'),
  'a part too many': () => `${good()}.x`,
  'another signature': flipped,
  'no signature': unsigned,
  'that has ended': () => tokenOf({ tenant: 'ann', exp: nowSecs() - 3600 }),
  'that has not begun': () => tokenOf({ tenant: 'ann', nbf: nowSecs() + 3600 }),
  'without an end': () => hs256({ sub: 'ann', tenant: 'ann' }),
}
const badTokens = (put: (token: string) => Headers) =>
  Object.fromEntries(Object.entries(BAD_TOKENS).map(([what, token]) => [what, () => put(token())]))

export const MEMBERS: Readonly<Record<string, Member>> = {
  'a bearer token': {
    good: () => bearer(good()),
    alike: {
      'scheme in lower case': () => ({ authorization: `bearer ${good()}` }),
      'scheme in upper case': () => ({ authorization: `BEARER ${good()}` }),
      'two spaces': () => ({ authorization: `Bearer  ${good()}` }),
    },
    bad: {
      ...badTokens(bearer),
      'no token behind the scheme': () => ({ authorization: 'Bearer' }),
      'a space behind the scheme': () => ({ authorization: 'Bearer ' }),
      'two tokens': () => ({ authorization: `Bearer ${good()}, Bearer ${good()}` }),
      'two tokens behind one scheme': () => ({ authorization: `Bearer ${good()} ${good()}` }),
    },
    nobody: {
      'no scheme': () => ({ authorization: good() }),
      'another scheme': () => ({ authorization: `Basic ${good()}` }),
      'a scheme that begins alike': () => ({ authorization: `BearerX ${good()}` }),
    },
    vary: 'Authorization',
    payload: ({ authorization }) => ({ Authorization: authorization }),
  },
  'an API key': {
    good: () => ({ 'x-api-key': API_KEY }),
    alike: {},
    bad: {
      'no key': () => ({ 'x-api-key': 'garbage' }),
      empty: () => ({ 'x-api-key': '' }),
      'one letter more': () => ({ 'x-api-key': `${API_KEY}x` }),
      'one letter less': () => ({ 'x-api-key': API_KEY.slice(0, -1) }),
      'in another case': () => ({ 'x-api-key': API_KEY.toUpperCase() }),
      'two keys': () => ({ 'x-api-key': `${API_KEY}, ${API_KEY}` }),
      'with a scheme': () => ({ 'x-api-key': `Bearer ${API_KEY}` }),
    },
    nobody: {},
    vary: 'X-API-Key',
    payload: (headers) => ({ headers: { 'X-API-Key': headers['x-api-key'] } }),
  },
  'the cookie of a session': {
    good: () => cookie(good()),
    alike: {},
    bad: badTokens(cookie),
    nobody: {
      'under another name': () => ({ ...cookie(''), cookie: `access_token=${good()}` }),
      'name in another case': () => ({ ...cookie(''), cookie: `__host-access_token=${good()}` }),
      'two of them': () => ({ ...cookie(''), cookie: `__Host-access_token=${good()}; __Host-access_token=${good()}` }),
    },
    vary: 'Cookie',
    payload: null,
  },
  "a third party's": {
    good: () => ({ 'x-pass': PASS }),
    alike: {},
    bad: {
      empty: () => ({ 'x-pass': '' }),
      unknown: () => ({ 'x-pass': `${PASS}x` }),
    },
    nobody: {},
    vary: 'X-Pass',
    payload: (headers) => ({ 'X-Pass': headers['x-pass'] }),
  },
}
