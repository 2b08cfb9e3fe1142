import type { SvcError } from '../../base/errors/svc-error.ts'
import { isSettingName, SETTING_NAME } from '../../base/util/setting-name.ts'
import type {
  Access,
  AccessControl,
  Denial,
  DenialSet,
  DenyOptions,
  FilterTree,
  MaskTransform,
  RowCondition,
  RowFilter,
  SettingValue,
} from '../../contract/access.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { Setting } from '../../contract/setting.ts'
import type { ObjectType } from '../../schema/model.ts'
import { filterShape } from '../plan/shape-key.ts'
import { CollectedAccess, variantOf } from './collected-access.ts'
import { type PreparedDenials, readDenialSet } from './denial-set.ts'
import { addDenial, addMask, exceptedFields, joinDenial } from './denials.ts'
import { copyFilter } from './filter-tree.ts'
import { absent, invalid } from './invalid.ts'
import { NO_ACCESS } from './no-access.ts'
import { readRowFilter } from './row-filter.ts'
import { compositeOf, objectsOf } from './targets.ts'

/** Restrictions of all hooks so far. Created by the first call that needs it. */
interface Said {
  readonly denied: Map<string, Denial>
  readonly conditions: Map<string, RowCondition[]>
  readonly values: Record<string, unknown[]>
  readonly settings: Map<string, Setting>
  /** Conditions without their values, by type or target. */
  readonly shapes: Map<string, string[]>
}

/**
 * The `access` argument of `authorize` hooks for one run of an operation. It collects the restrictions that the hooks
 * declare (`deny`, `mask`, `where`, `set`), and then creates the `Access` of the run.
 */
export class AccessCollector implements AccessControl {
  readonly #exchange: Exchange
  #said: Said | null = null
  /** The only denial set so far, as long as there are no other restrictions. */
  #set: PreparedDenials | null = null
  #over = false

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  deny(target: string | DenialSet, error?: SvcError, { onDeny, unless }: DenyOptions = {}): void {
    const { schema } = this.#exchange.generation
    const set = readDenialSet(target, schema)
    if (set === null && unless !== undefined) this.#denyUnless(target as string, error, onDeny, unless)
    else if (set === null) addDenial(this.#begin('deny').denied, schema, target as string, error, onDeny)
    else if (set.denied.size > 0) this.#denySet(set)
  }

  #denyUnless(target: string, error: SvcError | undefined, onDeny: string = 'mask', unless: FilterTree): void {
    const said = this.#begin('deny')
    const { generation, auth } = this.#exchange
    const call = `access.deny("${target}")`
    if (onDeny !== 'mask') throw invalid(`${call}: what is denied in some rows is masked; onDeny has nothing to say.`)
    for (const each of exceptedFields(generation.schema, target)) {
      const tree = copyFilter(each.type, unless, call, auth !== null)
      const own = new Map<string, Denial>()
      addDenial(own, generation.schema, each.target, error)
      for (const denial of own.values()) joinDenial(said.denied, { ...denial, unless: true })
      append(said.shapes, each.target, filterShape(tree))
      appendValue(said, each.target, tree)
    }
  }

  #denySet(set: PreparedDenials): void {
    this.#open('deny')
    // Most runs have one set and nothing else, and can share its `Access`.
    if (this.#said === null && (this.#set === null || this.#set === set)) this.#set = set
    else for (const denial of set.denied.values()) joinDenial(this.#begin('deny').denied, denial)
  }

  mask(target: string, transform: MaskTransform, error?: SvcError): void {
    addMask(this.#begin('mask').denied, this.#exchange.generation.schema, target, transform, error)
  }

  where(name: string, condition: FilterTree | RowFilter): void {
    const said = this.#begin('where')
    const { generation, auth } = this.#exchange
    const call = `access.where("${name}")`
    const type = compositeOf(generation.schema, name, call)
    const authored = readRowFilter(condition, auth !== null)
    const add = (member: ObjectType, kind: RowCondition, value: unknown, shape: string): void => {
      if (member.source === null) {
        throw invalid(
          `${call}: ${member.name} lives in its parent's document and has no rows. Deny the field that holds it.`,
        )
      }
      append(said.conditions, member.name, kind)
      append(said.shapes, member.name, shape)
      appendValue(said, member.name, value)
    }
    if (authored !== null) {
      const kind: RowCondition = Object.freeze({ kind: 'authored', text: authored.text })
      for (const member of objectsOf(type)) add(member, kind, authored.values, JSON.stringify(authored.text))
      return
    }
    if (type.kind === 'union')
      throw invalid(`${call}: a union has no fields to filter by. Name its types, or use rowFilter.`)
    const tree = copyFilter(type, condition, call, auth !== null)
    for (const member of objectsOf(type)) add(member, FILTER, tree, filterShape(tree))
  }

  set(name: string, value: SettingValue): void {
    const said = this.#begin('set')
    keep(said, toSetting(name, value, this.#exchange.auth !== null))
  }

  /** Adds the settings of the configuration, after those of all hooks, so that the role is last. @throws SvcError SVC_ACCESS_INVALID */
  give(settings: readonly Setting[]): void {
    if (settings.length === 0) return
    const said = this.#begin('set')
    for (const setting of settings) keep(said, setting)
  }

  /** Ends the collection; later calls throw. @returns the access; without restrictions the constant `NO_ACCESS` */
  take(): Access {
    this.#over = true
    if (this.#said === null) return this.#set?.access ?? NO_ACCESS
    const { denied, conditions, values, settings, shapes } = this.#said
    const variant = variantOf(denied, shapes)
    return new CollectedAccess({ denied, conditions, values, settings: [...settings.values()], variant })
  }

  #begin(call: string): Said {
    this.#open(call)
    this.#said ??= {
      denied: new Map(this.#set?.denied),
      conditions: new Map(),
      values: Object.create(null),
      settings: new Map(),
      shapes: new Map(),
    }
    return this.#said
  }

  #open(call: string): void {
    if (this.#over)
      throw invalid(`access.${call} was called when authorize was over. Call it before the hook returns, or await.`)
  }
}

const FILTER: RowCondition = Object.freeze({ kind: 'filter' })

/** Adds a setting. Names of settings are case-insensitive, as in PostgreSQL. @throws SvcError SVC_ACCESS_INVALID for a second value */
function keep({ settings }: Said, setting: Setting): void {
  const { name, value } = setting
  const before = settings.get(name.toLowerCase())
  if (before !== undefined && before.value !== value) {
    throw invalid(
      `access.set("${name}"): it has another value already, of another hook, of this one, or of [session_variables].`,
    )
  }
  settings.set(name.toLowerCase(), setting)
}

function appendValue({ values }: Said, key: string, value: unknown): void {
  const list = values[key]
  if (list === undefined) values[key] = [value]
  else list.push(value)
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/**
 * Validates the arguments of `access.set`.
 * @param known the caller has a credential
 * @throws SvcError SVC_ACCESS_INVALID, UNAUTHENTICATED, FORBIDDEN
 */
function toSetting(name: unknown, value: unknown, known: boolean): Setting {
  if (!isSettingName(name)) {
    const shown = typeof name === 'string' ? JSON.stringify(name) : `a ${typeof name}`
    throw invalid(`access.set: ${shown} is no name of a session variable. It is ${SETTING_NAME}.`)
  }
  if (value === undefined || value === null) throw absent(known, `access.set("${name}"): there is no value for it.`)
  if (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol') {
    throw invalid(`access.set("${name}"): a session variable is a text, a number or a boolean, not a ${kindOf(value)}.`)
  }
  const text = String(value)
  if (text.includes('\0')) throw invalid(`access.set("${name}"): a text cannot contain the character U+0000.`)
  return Object.freeze({ name, value: text })
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}
