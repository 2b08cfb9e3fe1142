import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { RowGate } from '../../../plugins/postgres/wire/row-gate.ts'

const message = (type: string, body: Buffer): Buffer => {
  const out = Buffer.alloc(5 + body.length)
  out.write(type, 0, 'latin1')
  out.writeUInt32BE(4 + body.length, 1)
  body.copy(out, 5)
  return out
}

interface Owner {
  readonly refuse?: () => boolean
  readonly takes?: () => boolean
  readonly take?: (row: Buffer) => void
}

const MAX = 40

function openGate(owner: Owner, forward: (chunk: Buffer) => void): RowGate {
  return new RowGate(
    {
      maxBytes: MAX,
      refuse: owner.refuse ?? (() => true),
      takesRows: owner.takes ?? (() => false),
      takeRow: (bytes, start, end) => owner.take?.(Buffer.from(bytes.subarray(start, end))),
    },
    forward,
  )
}

/** Stands in for `pg`'s parser: what it has not read to its end it keeps as it is, and reads whole messages at once. */
function openParser(): { readonly messages: string[]; push(chunk: Buffer): void } {
  let kept: Buffer = Buffer.alloc(0)
  const messages: string[] = []
  return {
    messages,
    push(chunk) {
      if (chunk.length === 0) throw new Error('an empty chunk')
      kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
      while (kept.length >= 5 && kept.length > kept.readUInt32BE(1)) {
        const size = kept.readUInt32BE(1) + 1
        messages.push(kept.toString('latin1', 0, size))
        kept = kept.subarray(size)
      }
    },
  }
}

/** Gives the gate these bytes, cut at these places. `lent`: all through the same memory, as a socket does. */
function feed(gate: RowGate, bytes: Buffer, cuts: readonly number[], lent: boolean): void {
  const memory = Buffer.alloc(bytes.length)
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  for (let i = 1; i < places.length; i++) {
    const chunk = bytes.subarray(places[i - 1], places[i])
    if (!lent) {
      gate.push(Buffer.from(chunk), false)
      continue
    }
    memory.fill(0xee)
    chunk.copy(memory)
    gate.push(memory.subarray(0, chunk.length), true)
  }
}

const messages = fc.array(
  fc.record({ type: fc.constantFrom('D', 'D', 'D', 'C', 'Z', '2', 't'), size: fc.nat(120), fill: fc.nat(255) }),
  { maxLength: 20 },
)

t.test(
  'rows go to who takes them, too large ones nowhere, all else to the parser, wherever the bytes are cut',
  async () => {
    fc.assert(
      fc.property(
        messages,
        fc.array(fc.nat(3000), { maxLength: 40 }),
        fc.array(fc.constantFrom('take', 'pass'), { minLength: 1 }),
        fc.array(fc.boolean(), { minLength: 1 }),
        fc.boolean(),
        (list, cuts, owners, refusals, lent) => {
          const all = list.map(({ type, size, fill }) => ({ type, bytes: message(type, Buffer.alloc(size, fill)) }))
          // The rows up to a 'Z' belong to one statement, which takes its rows or does not.
          const ownerOf = (statement: number): string => owners[statement % owners.length]!
          const parser = openParser()
          const taken: string[] = []
          let asked = 0
          const gate = openGate(
            {
              refuse: () => refusals[asked++ % refusals.length]!,
              takes: () => ownerOf(parser.messages.filter((one) => one.startsWith('Z')).length) === 'take',
              take: (row) => taken.push(row.toString('latin1')),
            },
            (chunk) => parser.push(chunk),
          )
          feed(gate, Buffer.concat(all.map((one) => one.bytes)), cuts, lent)

          const expected = { parsed: [] as string[], taken: [] as string[] }
          let statement = 0
          let large = 0
          for (const { type, bytes } of all) {
            const text = bytes.toString('latin1')
            if (type === 'D' && bytes.length > MAX + 11 && refusals[large++ % refusals.length]) continue
            if (type === 'D' && ownerOf(statement) === 'take') expected.taken.push(text.slice(5))
            else expected.parsed.push(text)
            if (type === 'Z') statement++
          }
          assert.deepEqual({ parsed: parser.messages, taken }, expected)
          return asked === large
        },
      ),
      { numRuns: 3000 },
    )
  },
)

t.test('messages before a row are passed on before the owner of the row is called', async (t) => {
  const before = message('Z', Buffer.from('I'))
  const seen: string[] = []
  const refuse = () => {
    seen.push('asked')
    return true
  }
  const gate = openGate({ refuse }, (chunk) => seen.push(chunk.toString('latin1')))
  gate.push(Buffer.concat([before, message('D', Buffer.alloc(1000)), before]), false)
  t.strictSame(seen, [before.toString('latin1'), 'asked', before.toString('latin1')])
})

t.test('a chunk without rows passes as it is, not copied', async (t) => {
  const chunk = Buffer.concat([message('2', Buffer.alloc(0)), message('C', Buffer.alloc(9))])
  let got: Buffer | null = null
  openGate({}, (passed) => {
    got = passed
  }).push(chunk, true)
  t.equal(got, chunk)
})

t.test('the rows of a statement that does not take them pass together', async (t) => {
  const row = message('D', Buffer.alloc(20))
  const passed: number[] = []
  openGate({}, (chunk) => passed.push(chunk.length)).push(Buffer.concat([row, row, row]), true)
  t.strictSame(passed, [row.length * 3])
})
