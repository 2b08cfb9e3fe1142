import t from 'tap'
import type { Credential, OwnedCredential } from '../../../../core/contract/credential.ts'
import { addCredential } from '../../../../core/service/plugins/credential-table.ts'

t.test('a credential is kept with its plugin, whose name is its id unless it says one', async (t) => {
  const table: OwnedCredential[] = []
  addCredential(table, 'stamps', { in: 'header', name: 'X-Stamp', scheme: 'key' })
  addCredential(table, 'stamps', { in: 'cookie', name: 'stamp', scheme: 'key', id: 'stamp-cookie' })
  t.strictSame(
    table.map(({ plugin, id, in: place, name }) => [plugin, id, place, name]),
    [
      ['stamps', 'stamps', 'header', 'X-Stamp'],
      ['stamps', 'stamp-cookie', 'cookie', 'stamp'],
    ],
  )
})

t.test('a credential that no client could send is refused with the plugin and the fault', async (t) => {
  const good = { in: 'header', name: 'X-Stamp', scheme: 'key' } as const
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /in undefined; it may be in: header, cookie\.$/],
    [{ ...good, in: 'query' }, /in "query"; it may be in: header, cookie\.$/],
    [{ ...good, name: 'X Stamp' }, /whose name is "X Stamp"; write the name of a header\.$/],
    [{ ...good, name: 7 }, /whose name is 7; write the name of a header\.$/],
    [{ ...good, scheme: 'digest' }, /with the scheme "digest"; schemes: bearer, basic, key\.$/],
    [{ ...good, in: 'cookie', scheme: 'bearer' }, /in a cookie with the scheme "bearer"; it is "key" there\.$/],
  ]
  for (const [credential, message] of cases) {
    const table: OwnedCredential[] = []
    t.throws(() => addCredential(table, 'stamps', credential as Credential), {
      code: 'SVC_CREDENTIAL_INVALID',
      message,
    })
    t.strictSame(table, [])
  }
  const table: OwnedCredential[] = []
  addCredential(table, 'stamps', good)
  t.throws(() => addCredential(table, 'seals', { ...good, id: 'stamps' }), {
    message: /^Plugin "seals" takes a credential with the id "stamps", which one of plugin "stamps" has already\.$/,
  })
})
