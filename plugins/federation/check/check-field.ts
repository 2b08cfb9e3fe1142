import type { AuthoredField, PartContext } from '../../../core/doors/command.ts'
import { rowFilterProblem, splitRowFilter } from '../../../core/doors/front.ts'
import { listNames } from '../../../core/doors/plugin.ts'
import { readSelection, selectionProblem } from './check-selection.ts'
import { leavesOf, type SelectedField } from './field-set.ts'
import type { Owner, Owners } from './owners.ts'
import { tagProblem } from './tag-problem.ts'

/**
 * Checks the federation keys of a field in `schema.json`, such as `tags` and `requires`.
 * @param owner type of the field
 */
export function checkField(
  owners: Owners,
  owner: Owner,
  field: AuthoredField,
  { fault, warn }: Pick<PartContext<unknown>, 'fault' | 'warn'>,
): void {
  const label = `${owner.name}.${field.name}`
  const say = (id: string, what: string): void => fault(id, `${label}: ${what}`, field, owner)
  const tag = tagProblem(field.tags)
  if (tag !== null) say('tag', tag)
  if (field.external === true) checkExternal(field, say)
  if (field.override !== undefined && field.external === true) {
    say('override', 'override takes a field over, and external leaves it where it is. Drop one of them.')
  }
  if (field.override_label !== undefined) checkOverrideLabel(field.override_label, field.override, say)
  if (!owners.isObject(owner)) {
    const wrong = (['external', 'override', 'provides', 'requires', 'sql'] as const).find(
      (key) => field[key] !== undefined,
    )
    if (wrong !== undefined) say('interface', `${wrong} belongs to fields of types, and ${owner.name} is an interface.`)
    return
  }
  if (field.provides !== undefined) checkProvides(owners, field, field.provides, say)
  if (field.requires !== undefined || field.sql !== undefined) {
    checkRequires(owners, owner, field, say, (what) => warn('requires', `${label}: ${what}`, field, owner))
  }
}

/** Label of `@override`, as composition requires it. */
const LABEL = /^(?:[A-Za-z][\w\-:./]*|percent\((?:\d{1,2}(?:\.\d{1,8})?|100)\))$/

function checkOverrideLabel(label: string, override: string | undefined, say: Say): void {
  if (override === undefined) say('override', 'override_label is about override, which is missing.')
  if (LABEL.test(label)) return
  say(
    'override',
    `override_label "${label}" is none: \`percent(25)\` with 0 to 100, or a letter and then letters, digits and _-:./`,
  )
}

type Say = (id: string, what: string) => void

function checkExternal(field: AuthoredField, say: Say): void {
  const wrong = (['requires', 'sql', 'computed'] as const).find((key) => field[key] !== undefined)
  if (wrong !== undefined)
    say('external', `another subgraph has it, so there is nothing for ${wrong} to say. Drop one of them.`)
}

function checkProvides(owners: Owners, field: AuthoredField, text: string, say: Say): void {
  const behind = owners.behind(field)
  if (behind === undefined) {
    say('provides', `provides selects fields of an object, and this is ${field.type}. Drop provides.`)
    return
  }
  const selected = readSelection(text)
  if (typeof selected === 'string') {
    say('provides', `provides "${text}" cannot be read: ${selected}`)
    return
  }
  const problem = selectionProblem(owners, behind, selected, false)
  if (problem !== null) {
    say('provides', `in provides "${text}", ${problem}`)
    return
  }
  checkExternals(owners, behind, selected, `provides "${text}"`, (what) => say('provides', what))
}

/** Checks that each path contains a field of another subgraph. */
function checkExternals(
  owners: Owners,
  owner: Owner,
  selected: readonly SelectedField[],
  where: string,
  say: (what: string) => void,
): void {
  for (const path of leavesOf(selected)) {
    const fields = owners.walk(owner, path)
    if (fields.some((one) => one.external === true)) continue
    say(
      `${where} names ${owner.name}.${path.join('.')}, which is no external field. Set external on it, or leave it out.`,
    )
  }
}

function checkRequires(
  owners: Owners,
  owner: Owner,
  field: AuthoredField,
  say: Say,
  warn: (what: string) => void,
): void {
  const { requires, sql } = field
  if (requires === undefined || sql === undefined) {
    const missing = requires === undefined ? 'requires' : 'sql'
    const hint =
      missing === 'sql'
        ? 'Say how it is computed: sql: "{price} * 0.2".'
        : 'What the view knows by itself belongs into the view; what comes from other subgraphs is named by requires.'
    say('requires', `${missing} is missing. ${hint}`)
    return
  }
  if (owners.keysOf(owner).length === 0 || owner.resolvable === false) {
    say(
      'requires',
      `what it requires comes with representations, and ${owner.name} has no key by which it is found here.`,
    )
  }
  const taken = (['column', 'relation', 'computed'] as const).find((key) => field[key] !== undefined)
  if (taken !== undefined)
    say('requires', `sql computes it, so there is nothing for ${taken} to say. Drop one of them.`)
  const selected = readSelection(requires)
  if (typeof selected === 'string') {
    say('requires', `requires "${requires}" cannot be read: ${selected}`)
    return
  }
  const problem = selectionProblem(owners, owner, selected, false)
  if (problem !== null) {
    say('requires', `in requires "${requires}", ${problem}`)
    return
  }
  checkExternals(owners, owner, selected, `requires "${requires}"`, (what) => say('requires', what))
  checkSql(selected, sql, say, warn)
}

function checkSql(selected: readonly SelectedField[], sql: string, say: Say, warn: (what: string) => void): void {
  const problem = rowFilterProblem(sql)
  if (problem !== null) {
    say('requires', `sql: ${problem.replace('one condition', 'one expression')}`)
    return
  }
  const leaves = leavesOf(selected)
  const ways = new Set(leaves.flatMap((path) => path.map((_, index) => path.slice(0, index + 1).join('.'))))
  const used = splitRowFilter(sql).flatMap((part) => ('placeholder' in part ? [part.placeholder] : []))
  for (const name of used) {
    if (!ways.has(name))
      say('requires', `sql has {${name}}, which requires does not name. It names: ${listNames(ways)}.`)
  }
  for (const path of leaves) {
    const name = path.join('.')
    if (!used.some((one) => name === one || name.startsWith(`${one}.`))) {
      warn(`requires names ${name}, and sql does not use it: routers fetch it for nothing.`)
    }
  }
}
