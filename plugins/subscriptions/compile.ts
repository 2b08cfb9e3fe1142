import { type AuthoredSubscription, type AuthoredType, defineCompilePart } from '../../core/doors/command.ts'
import { changes, toWireName, typeRefs } from '../../core/doors/front.ts'
import { didYouMean, listNames } from '../../core/doors/plugin.ts'
import { type AuthorFilter, compileFilter, FilterFault } from './match/author-filter.ts'
import type { SubscriptionsOptions } from './options.ts'

/** Pattern of a topic. With the prefix `svc_` it is a name of PostgreSQL, of at most 63 bytes. */
const TOPIC = /^[A-Za-z_][A-Za-z0-9_]{0,57}$/

/** Compile part of the subscriptions plugin: checks topics, filters and arguments of subscriptions. */
export default defineCompilePart<SubscriptionsOptions>({
  compile({ schema, fault }) {
    const types = new Map((schema.types ?? []).map((type) => [type.name, type]))
    const members = (name: string): readonly AuthoredType[] => {
      const own = types.get(name)
      if (own !== undefined) return [own]
      const names = (schema.unions ?? []).find((union) => union.name === name)?.members ?? []
      return [...types.values()].filter((type) => names.includes(type.name) || type.implements?.includes(name) === true)
    }
    for (const subscription of schema.subscriptions ?? []) {
      const say = (id: string, what: string) => fault(id, `Subscription "${subscription.name}": ${what}`, subscription)
      const given = shownBy(subscription, members, say)
      if (given === null) continue
      const watched = watchedBy(subscription, given, members, say)
      checkOptions(subscription, watched.map(changes.shapeOfAuthored), say)
    }
    return undefined
  },
})

type Say = (id: string, what: string) => void

/** The types whose rows the subscription can send; `null`: none. */
function shownBy(
  { type }: AuthoredSubscription,
  members: (name: string) => readonly AuthoredType[],
  say: Say,
): readonly AuthoredType[] | null {
  const ref = typeRefs.parse(type)
  // An invalid type was reported before.
  if (ref === null) return null
  if (typeRefs.isList(ref)) {
    say('subscription-type', `it gives ${type}; an event tells of one row: declare the type without a list.`)
    return null
  }
  const { name } = typeRefs.namedTypeOf(ref)
  const all = members(name)
  if (all.length === 0) {
    say('subscription-type', `it gives ${name}, which has no rows: declare an object type, an interface or a union.`)
    return null
  }
  for (const one of all) {
    const hasId = one.fields.some((field) => field.name === 'id')
    if (one.embedded === true || !hasId) {
      say(
        'subscription-type',
        `rows of ${one.name} cannot be read by id: it needs a source of its own and a field "id".`,
      )
    }
  }
  return all
}

function watchedBy(
  { entity_type: entity, type }: AuthoredSubscription,
  shown: readonly AuthoredType[],
  members: (name: string) => readonly AuthoredType[],
  say: Say,
): readonly AuthoredType[] {
  if (entity === undefined) return shown
  const watched = members(entity)
  const foreign = watched.find((one) => !shown.includes(one))
  if (foreign !== undefined) {
    say('subscription-type', `it watches ${entity} and gives ${type}: rows of ${foreign.name} are not of that type.`)
    return []
  }
  return watched
}

function checkOptions(
  { filter, topic, durable, replay, arguments: args = [] }: AuthoredSubscription,
  shapes: readonly changes.EntityShape[],
  say: Say,
): void {
  for (const shape of shapes) {
    let compiled: AuthorFilter
    try {
      compiled = compileFilter(filter, shape)
    } catch (error) {
      if (!(error instanceof FilterFault)) throw error
      say('filter', `filter, ${error.message.replace(/\.$/, '')}.`)
      break
    }
    const declared = new Map(args.map(({ name }) => [toWireName(name), name]))
    for (const name of compiled.paths.keys()) {
      if (declared.has(name)) continue
      const hint = didYouMean(name, declared.keys()) || ` It has: ${listNames([...declared.values()])}.`
      say('filter', `filter: there is no argument "${name}".${hint}`)
    }
    const names = shape.fields.map(({ name }) => name)
    for (const [wire, name] of declared) {
      if (compiled.paths.has(wire) || shape.find(name) !== undefined) continue
      const hint = didYouMean(name, names) || ` It has: ${listNames(names)}.`
      say('argument', `argument "${name}" is no field of ${shape.name}, and is compared with one.${hint}`)
    }
  }
  if (topic !== undefined && !TOPIC.test(topic)) {
    say('topic', `topic "${topic}" is no name of a channel: letters, digits and _, at most 58.`)
  }
  if (replay === true && durable !== true) say('replay', 'replay needs durable: true, or nothing is kept to replay.')
}
