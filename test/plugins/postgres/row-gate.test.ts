import fc from 'fast-check'
import t from 'tap'
import { RowGate } from '../../../plugins/postgres/row-gate.ts'

const message = (type: string, body: Buffer): Buffer => {
  const out = Buffer.alloc(5 + body.length)
  out.write(type, 0, 'latin1')
  out.writeUInt32BE(4 + body.length, 1)
  body.copy(out, 5)
  return out
}

/** What the gate lets through of these bytes when they arrive cut at these places. */
function pass(bytes: Buffer, cuts: readonly number[], maxBytes: number, refuse: () => boolean): Buffer {
  const out: Buffer[] = []
  const gate = new RowGate({ maxBytes, refuse }, (chunk) => {
    if (chunk.length === 0) throw new Error('an empty chunk')
    out.push(Buffer.from(chunk))
  })
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  for (let i = 1; i < places.length; i++) gate.push(bytes.subarray(places[i - 1], places[i]))
  return Buffer.concat(out)
}

const MAX = 40
const messages = fc.array(
  fc.record({ type: fc.constantFrom('D', 'D', 'D', 'C', 'Z', '2', 't'), size: fc.nat(120), fill: fc.nat(255) }),
  { maxLength: 20 },
)

t.test('only rows that are too large are thrown away, wherever the bytes are cut', async () => {
  fc.assert(
    fc.property(messages, fc.array(fc.nat(3000), { maxLength: 40 }), fc.array(fc.boolean()), (list, cuts, answers) => {
      const all = list.map(({ type, size, fill }) => ({ type, bytes: message(type, Buffer.alloc(size, fill)) }))
      const bytes = Buffer.concat(all.map((one) => one.bytes))
      let asked = 0
      const kept = pass(bytes, cuts, MAX, () => answers[asked++ % Math.max(1, answers.length)] ?? true)
      let index = 0
      const expected = all.filter((one) => {
        if (one.type !== 'D' || one.bytes.length <= MAX + 11) return true
        return !(answers[index++ % Math.max(1, answers.length)] ?? true)
      })
      return kept.equals(Buffer.concat(expected.map((one) => one.bytes))) && asked === index
    }),
    { numRuns: 2000 },
  )
})

t.test('what came before a row is passed on before its owner is asked', async (t) => {
  const before = message('Z', Buffer.from('I'))
  const seen: string[] = []
  const refuse = () => {
    seen.push('asked')
    return true
  }
  const gate = new RowGate({ maxBytes: MAX, refuse }, (chunk) => seen.push(chunk.toString('latin1')))
  gate.push(Buffer.concat([before, message('D', Buffer.alloc(1000)), before]))
  t.strictSame(seen, [before.toString('latin1'), 'asked', before.toString('latin1')])
})

t.test('a chunk without such a row passes as it is, not copied', async (t) => {
  const chunk = Buffer.concat([
    message('2', Buffer.alloc(0)),
    message('D', Buffer.alloc(20)),
    message('C', Buffer.alloc(9)),
  ])
  let got: Buffer | null = null
  new RowGate({ maxBytes: MAX, refuse: () => true }, (passed) => {
    got = passed
  }).push(chunk)
  t.equal(got, chunk)
})
