import { toWireName } from '../../base/util/naming.ts'
import type { AuthoredArgument, SourceLocation } from '../../schema/authored.ts'
import type { CompiledArgument } from '../../schema/compiled.ts'
import type { Rule } from '../../schema/rules.ts'
import type { CompileContext } from '../ground/context.ts'
import { type ConfigRules, placeConfigRules } from './config-rules.ts'
import { readRules } from './read-rules.ts'
import { type RuleField, type RuleOwner, ruleOwners } from './rule-owner.ts'
import type { RulePlace } from './rule-place.ts'

/**
 * Reads and checks all validation rules, first those in the schema, then those in `[svc.validation]` of svc.toml, and
 * stores them in `context.rules`.
 */
export function compileRules(context: CompileContext, config: ConfigRules | undefined): void {
  const owners = ruleOwners(context)
  const validators = (context.schema.author_functions ?? [])
    .filter(({ kind }) => kind === 'validator')
    .map(({ name }) => name)
  const read = (
    rules: unknown,
    owner: RuleOwner,
    field: RuleField | null,
    label: string,
    at: SourceLocation | null,
  ): void => {
    const element = field?.element ?? owner.element
    const fault = (what: string): void =>
      context.report.fault(
        'validation',
        `${label} ${what}`,
        at === null ? {} : { $place: at },
        element as RuleElement,
        owner.element,
      )
    const place: RulePlace = { owner, field, validators, fault, read: readRules }
    const found = readRules(rules, place)
    if (found.length > 0) context.rules.set(element, [...(context.rules.get(element) ?? []), ...found])
  }
  for (const owner of owners) {
    const { validate } = owner.element
    if (validate !== undefined) read(validate, owner, null, `${owner.name}: validate:`, null)
    for (const field of owner.fields.values()) {
      if (field.element.validate !== undefined) {
        read(field.element.validate, owner, field, `${owner.name}.${field.name}: validate:`, null)
      }
    }
  }
  if (config !== undefined) {
    for (const { key, rules, place, targets } of placeConfigRules(config, owners, context)) {
      for (const { owner, field } of targets) {
        const target = field === null ? owner.name : `${owner.name}.${field.name}`
        const label = target === key ? `[svc.validation] ${key}:` : `[svc.validation] ${key} (${target}):`
        read(rules, owner, field, label, place)
      }
    }
  }
}

type RuleElement = { readonly $place?: SourceLocation }

/**
 * Returns an object with the key `rules` for the compiled form of an input, operation, field or argument. It is empty
 * if the element has no validation rules.
 */
export function rulesOf({ rules }: CompileContext, element: object): { readonly rules?: readonly Rule[] } {
  const found = rules.get(element)
  return found === undefined ? {} : { rules: found }
}

/**
 * Converts the arguments of an operation to their form in the compiled schema, with their names in the API and their
 * validation rules.
 */
export function compileArguments(
  context: CompileContext,
  args: readonly AuthoredArgument[] | undefined,
): readonly CompiledArgument[] {
  return (args ?? []).map((element) => {
    const { validate: _validate, ...argument } = element
    return { ...argument, wire_name: toWireName(argument.name), ...rulesOf(context, element) }
  })
}
