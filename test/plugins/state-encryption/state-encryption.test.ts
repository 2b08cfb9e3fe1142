import { randomBytes } from 'node:crypto'
import t from 'tap'
import stateEncryption, { createSeal } from '../../../plugins/state-encryption/index.ts'
import { createBareApp } from '../../helpers/bare-app.ts'
import { failure } from '../../helpers/kernel.ts'
import { plugin } from '../jwt/who.ts'

t.test('both algorithms: what was sealed opens, once changed it does not', async (t) => {
  const key = randomBytes(32)
  for (const algorithm of ['chacha20-poly1305', 'aes-256-gcm'] as const) {
    const seal = createSeal(algorithm, key)
    const sealed = seal.seal('grüße', 'state')
    t.match(sealed, /^[\w-]+$/, algorithm)
    t.equal(Buffer.from(sealed, 'base64url').length, 12 + Buffer.byteLength('grüße') + 16, 'nonce, text, proof')
    t.not(seal.seal('grüße', 'state'), sealed, 'a new nonce each time')
    t.equal(seal.open(sealed, 'state'), 'grüße')
    t.equal(seal.open(sealed, 'login'), null, 'for no other purpose')
    t.equal(createSeal(algorithm, randomBytes(32)).open(sealed, 'state'), null, 'with no other key')
    const other = algorithm === 'aes-256-gcm' ? 'chacha20-poly1305' : 'aes-256-gcm'
    t.equal(createSeal(other, key).open(sealed, 'state'), null, 'by no other algorithm')
    const bytes = Buffer.from(sealed, 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      t.equal(seal.open(changed.toString('base64url'), 'state'), null, `byte ${at}`)
    }
    const others = [
      '',
      'A',
      sealed.slice(0, -2),
      `${sealed}A`,
      `${sealed}=`,
      `${sealed} `,
      `+${sealed.slice(1)}`,
      'x'.repeat(9999),
    ]
    for (const text of others) t.equal(seal.open(text, 'state'), null, text.slice(0, 10))
  }
})

t.test('no key, no start', async (t) => {
  const name = 'SVC_TEST_STATE_KEY'
  t.teardown(() => delete process.env[name])
  const open = (options: object = {}) =>
    createBareApp(t, { plugins: [plugin(stateEncryption, { enabled: true, key_env: name, ...options })] })
  for (const [value, message] of [
    [undefined, /SVC_TEST_STATE_KEY.*is not set/],
    ['', /is not set/],
    ['ab', /no key of 32 bytes/],
    ['g'.repeat(64), /no key of 32 bytes/],
    [`${'ab'.repeat(32)}\n`, /no key of 32 bytes/],
    ['00'.repeat(32), /one byte 32 times/],
  ] as const) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
    const error = await failure(() => open())
    t.match(error.message, message)
    if (value !== undefined && value.length > 3) t.notMatch(error.message, value, 'and the message does not hold it')
  }
  process.env[name] = randomBytes(32).toString('hex')
  await open()
  t.match((await failure(() => open({ algorithm: 'aes-128-gcm' }))).message, /algorithm/)
  t.match((await failure(() => open({ key_source: 'file' }))).message, /key_source/)
})
