import type { Auth } from '../../contract/exchange.ts'
import type { Facts, Objection } from '../../schema/checks/check.ts'
import { compileChecks, type PhasedChecks } from '../../schema/checks/compile-check.ts'
import { haveRules } from '../../schema/have-rules.ts'
import type { InputFieldModel, InputType, SchemaModel } from '../../schema/model.ts'
import type { Rule } from '../../schema/rules.ts'

/**
 * The compiled validation rules for an input object or for the arguments of an operation, with those of nested inputs.
 */
export interface InputRules {
  readonly own: PhasedChecks
  readonly fields: readonly FieldRules[]
}

interface FieldRules {
  readonly wireName: string
  readonly default: unknown
  readonly checks: PhasedChecks
  /** `null`: the value contains nothing with rules. */
  readonly inner: InputRules | null
}

export type Path = readonly (string | number)[]
type Report = (objection: Objection, path: Path) => boolean

/** Compiles the validation rules of inputs. Each input is compiled once, because inputs may contain each other. */
export class InputRulesCompiler {
  readonly #functions: SchemaModel['authorFunctions']
  readonly #known = new Map<InputType, InputRules>()

  constructor(model: SchemaModel) {
    this.#functions = model.authorFunctions
  }

  /** @throws Error when a rule names a validator that is not loaded */
  compile(rules: readonly Rule[], fields: ReadonlyMap<string, InputFieldModel>): InputRules {
    return { own: this.#own(rules, fields), fields: this.#fields(fields) }
  }

  #own(rules: readonly Rule[], fields: ReadonlyMap<string, InputFieldModel>): PhasedChecks {
    return compileChecks(rules, { functions: this.#functions, fields, field: null })
  }

  #fields(fields: ReadonlyMap<string, InputFieldModel>): readonly FieldRules[] {
    return [...fields.values()]
      .filter((field) => haveRules([field]))
      .map((field) => ({
        wireName: field.wireName,
        default: field.default,
        checks: compileChecks(field.rules, { functions: this.#functions, fields, field }),
        inner: field.named.kind === 'input' ? this.#inner(field.named) : null,
      }))
  }

  #inner(input: InputType): InputRules {
    const known = this.#known.get(input)
    if (known !== undefined) return known
    const fields: FieldRules[] = []
    const rules = { own: this.#own(input.rules, input.fields), fields }
    this.#known.set(input, rules)
    fields.push(...this.#fields(input.fields))
    return rules
  }
}

/**
 * Checks an input against one group of validation rules. Rules run in four phases (first those about single values,
 * then comparisons of fields, presence, combinations), and a phase runs only if the earlier ones found no error.
 * @param phase index of the phase
 * @param path path of the input, for errors
 * @param report receives each error; it returns `false` to stop
 * @returns `false`: `report` stopped the check
 */
export function runPhase(
  { own, fields }: InputRules,
  phase: number,
  input: Facts['fields'],
  auth: Auth | null,
  path: Path,
  report: Report,
): boolean {
  let goesOn = true
  for (const check of own[phase] ?? []) {
    check({ fields: input, value: input, auth }, (objection) => {
      goesOn &&= report(objection, path)
    })
    if (!goesOn) return false
  }
  for (const field of fields) {
    const value = Object.hasOwn(input, field.wireName) ? input[field.wireName] : field.default
    const at = [...path, field.wireName]
    for (const check of field.checks[phase] ?? []) {
      check({ fields: input, value, auth }, (objection) => {
        goesOn &&= report(objection, at)
      })
      if (!goesOn) return false
    }
    if (field.inner !== null && !runWithin(field.inner, phase, value, auth, at, report)) return false
  }
  return true
}

function runWithin(
  rules: InputRules,
  phase: number,
  value: unknown,
  auth: Auth | null,
  path: Path,
  report: Report,
): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (!Array.isArray(value)) return runPhase(rules, phase, value as Facts['fields'], auth, path, report)
  return value.every((item, index) => runWithin(rules, phase, item, auth, [...path, index], report))
}
