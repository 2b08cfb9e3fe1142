import type { FieldModel, ObjectType } from '../../../core/doors/plugin.ts'
import type { OutputComposite } from '../../../core/schema/type-model.ts'
import type { Given, Item, Part, Selection } from '../request.ts'
import { makeListArguments } from './arguments.ts'
import type { Maker } from './filters.ts'
import { hasNumbers, makeNumbers } from './numbers.ts'

/** What is selected of an object. @param depth how much deeper it may go @param keys gives each key of the response once */
export function makeSelection(maker: Maker, type: OutputComposite, depth: number): Selection {
  const parts: Part[] = []
  const keys = new Set<string>()
  if (type.kind !== 'union') parts.push(...split(maker, type, makeItems(maker, [...type.fields.values()], depth, keys)))
  if (type.kind !== 'object') {
    for (const member of maker.random.some(type.members, maker.random.below(type.members.length + 1))) {
      maker.coverage.note(`selection on a member of ${type.kind}`)
      const own = [...member.fields.values()]
      parts.push({
        form: maker.random.chance(0.5) ? 'inline' : 'named',
        on: member,
        items: makeItems(maker, own, depth, keys),
      })
    }
  }
  if (parts.length === 0) parts.push({ form: 'plain', on: null, items: [typename(keys)] })
  return { type, parts }
}

/** Some of the fields stand in fragments. */
function split({ random, coverage }: Maker, type: OutputComposite, items: readonly Item[]): Part[] {
  if (items.length < 2 || type.kind !== 'object' || random.chance(0.7)) return [{ form: 'plain', on: null, items }]
  const at = 1 + random.below(items.length - 1)
  const form = random.chance(0.5) ? 'inline' : 'named'
  coverage.note(`selection in a fragment, ${form}`)
  return [
    { form: 'plain', on: null, items: items.slice(0, at) },
    { form, on: type as ObjectType, items: items.slice(at) },
  ]
}

function makeItems(maker: Maker, fields: readonly FieldModel[], depth: number, keys: Set<string>): readonly Item[] {
  const { random, coverage } = maker
  const objects = fields.filter(({ named }) => isComposite(named))
  const leaves = fields.filter(({ named }) => !isComposite(named))
  const picked = random.some(leaves, random.pick([1, 1, 2, 3, 5]))
  if (depth > 0 && objects.length > 0) {
    const some = random.some(objects, random.pick([0, 1, 1, 2]))
    for (const field of some) picked.splice(random.below(picked.length + 1), 0, field)
    // The same list twice, with arguments of its own each.
    if (some[0] !== undefined && random.chance(0.15)) picked.push(some[0])
  }
  const items = picked.map((field): Item => {
    if (field.read?.from === 'relation' && hasNumbers(field) && random.chance(0.15)) {
      const grouped = random.chance(0.5)
      const key = makeKey(maker, `${field.wireName}${grouped ? 'Groups' : 'Aggregate'}`, keys)
      const numbers = makeNumbers(maker, field.named as ObjectType, grouped, 'nested')
      return { key, field, numbers, args: {}, of: null, directive: null }
    }
    const key = makeKey(maker, field.wireName, keys)
    const composite = isComposite(field.named)
    if (composite)
      coverage.note(
        `selection of ${field.list ? 'objects' : 'an object'} in ${field.read?.from === 'relation' ? 'rows' : 'a document'}`,
      )
    return {
      key,
      field,
      args: composite && field.list && field.read?.from === 'relation' ? makeListArguments(maker, field, 'nested') : {},
      of: composite ? makeSelection(maker, field.named as OutputComposite, depth - 1) : null,
      directive: makeDirective(maker),
    }
  })
  if (random.chance(0.15) || items.length === 0) items.splice(random.below(items.length + 1), 0, typename(keys))
  return items
}

function typename(keys: Set<string>): Item {
  let key = '__typename'
  while (keys.has(key)) key = `t${keys.size}`
  keys.add(key)
  return { key, field: null, args: {}, of: null, directive: null }
}

/** Name of the field, or an alias that no other has. */
export function makeKey({ random, coverage }: Maker, name: string, keys: Set<string>): string {
  let key = name
  if (keys.has(name) || random.chance(0.15)) {
    key = `k${keys.size}`
    coverage.note('alias')
  }
  keys.add(key)
  return key
}

function makeDirective({ random, coverage }: Maker): Item['directive'] {
  if (random.chance(0.94)) return null
  const name = random.chance(0.5) ? 'include' : 'skip'
  coverage.note(`directive @${name}`)
  return {
    name,
    if: { value: random.chance(0.5), as: random.chance(0.5) ? 'variable' : 'literal' } satisfies Given<boolean>,
  }
}

export function isComposite(named: FieldModel['named']): named is OutputComposite {
  return named.kind === 'object' || named.kind === 'interface' || named.kind === 'union'
}
