import { createHash } from 'node:crypto'
import t from 'tap'
import { parseManifest } from '../../../plugins/trusted-documents/parse-manifest.ts'

const QUERY = '{ users { id } }'
const hash = (algorithm: string, text = QUERY) => createHash(algorithm).update(text).digest('hex')
const SHA256 = hash('sha256')
const read = (value: unknown) => parseManifest(typeof value === 'string' ? value : JSON.stringify(value))
const apollo = (...operations: readonly object[]) => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations,
})

t.test('the forms that tools write', async (t) => {
  for (const [what, value, id] of [
    ['flat', { [SHA256]: QUERY }, SHA256],
    ['flat, with a prefix', { [`sha256:${SHA256}`]: QUERY }, SHA256],
    ['with a version', { version: 1, documents: { [`sha256:${SHA256}`]: QUERY } }, SHA256],
    ['of Relay, MD5', { [hash('md5')]: QUERY }, hash('md5')],
    ['of Relay, SHA1', { [hash('sha1')]: QUERY }, hash('sha1')],
    ['of Apollo', apollo({ id: SHA256, name: 'Q', type: 'query', body: QUERY }), SHA256],
    ['of Apollo, with ids of its own', apollo({ id: 'users/1', body: QUERY }), 'users/1'],
  ] as const) {
    const { documents, faults } = read(value)
    t.strictSame(faults, [], what)
    t.strictSame([...documents], [[id, QUERY]], what)
  }
  t.equal(read({}).documents.size, 0)
  t.equal(read({ version: 1, documents: {} }).documents.size, 0)
})

t.test('unusable entries are rejected by name', async (t) => {
  for (const [value, fault] of [
    ['{', /^it is not JSON/],
    ['[]', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    [{ [SHA256]: '{ users { name } }' }, /^"[0-9a-f]{64}" is not the hash of its text, which is /],
    [{ [`sha256:${SHA256}`]: `${QUERY}\n` }, /is not the hash of its text/],
    [{ [hash('md5')]: 'other' }, /is not the hash of its text/],
    [{ [SHA256.toUpperCase()]: QUERY }, /is no hash/],
    [{ users: QUERY }, /^"users" is no hash: 64 lower-case hex digits/],
    [{ version: 1, documents: [] }, /^"version" has no text/],
    [{ [SHA256]: 5 }, /has no text$/],
    [{ [SHA256]: QUERY, [`sha256:${SHA256}`]: QUERY }, /stands there twice$/],
    [{ ['x'.repeat(500)]: QUERY }, /^"x{80}…" is no hash/],
    [{ ...apollo(), operations: {} }, '"operations" is not a list'],
    [apollo({ body: QUERY }), 'operations[0] has no id'],
    [apollo({ id: 'a' }), '"a" has no text'],
    [apollo({ id: SHA256, body: 'other' }), /is not the hash of its text/],
    [apollo({ id: 'a', body: QUERY }, { id: 'a', body: QUERY }), '"a" stands there twice'],
  ] as const) {
    const { faults } = read(value)
    t.match(faults, [fault], JSON.stringify(value))
  }
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`x${n}`, QUERY]))
  const { faults } = read(many)
  t.equal(faults.length, 21)
  t.equal(faults.at(-1), 'and 30 more')
  t.match(parseManifest('{"__proto__":"{ a }"}').faults, [
    '"__proto__" is no hash: 64 lower-case hex digits of SHA-256 (or 40 of SHA-1, 32 of MD5)',
  ])
})
