import fc from 'fast-check'
import t from 'tap'
import { copyPlain, copyText, literal, putLiteral } from '../../../../core/engine/json/copy-field.ts'
import { JsonBuffer } from '../../../../core/engine/json/json-buffer.ts'
import { openSource } from '../../../../core/engine/json/packed-source.ts'

/** What is written must be in it, and nothing of what was written before, whatever the sizes. */
const SECRET = 'SECRET'.repeat(60_000)

function textOf(write: (target: JsonBuffer) => void, room?: number): string | undefined {
  const buffer = new JsonBuffer()
  buffer.fill((target) => {
    target.put(SECRET)
    return true
  })
  if (room !== undefined) buffer.bytes = Buffer.alloc(room, 'S')
  if (room !== undefined) buffer.view = new DataView(buffer.bytes.buffer)
  if (room !== undefined) buffer.capacity = room
  return buffer
    .fill((target) => {
      write(target)
      return true
    })
    ?.toString()
}

t.test('texts of all sizes, as strings and as bytes', async (t) => {
  for (const size of [0, 1, 31, 100, 40_000, 87_000, 88_000, 130_000, 262_143, 262_144, 262_145, 700_000, 5_000_000]) {
    for (const char of ['x', 'ä', '€', '𝄞']) {
      const text = char.repeat(size / char.length)
      const same = (made: string | undefined, name: string) =>
        t.ok(made === `[${text}]`, `${size} × ${char} as ${name}`)
      for (const value of [text, Buffer.from(text)]) {
        const made = textOf((target) => {
          target.put('[')
          target.put(value)
          target.put(']')
        })
        same(made, typeof value)
      }
    }
  }
})

t.test('fields and literals, in buffers that are too small', async () => {
  const anything = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\x01', '\x02').toWellFormed())
  fc.assert(
    fc.property(fc.array(anything, { minLength: 1, maxLength: 8 }), anything, fc.nat(64), (texts, between, room) => {
      const packed = Buffer.from(texts.join('\x01'))
      const known = literal(between)
      const made = textOf((target) => {
        const source = openSource(packed)
        for (const index of texts.keys()) {
          putLiteral(known, target)
          if (source.at > source.end) return
          if (index % 2 === 0) copyText(source, target)
          else copyPlain(source, target)
        }
      }, room)
      const expected = texts.map(
        (text, index) => between + (index % 2 === 0 ? JSON.stringify(text).slice(1, -1) : text),
      )
      return made === expected.join('')
    }),
    { numRuns: 5000 },
  )
})
