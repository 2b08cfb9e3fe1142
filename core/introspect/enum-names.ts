import type { ModelEnum } from '../contract/database-model.ts'
import type { AuthoredEnum, AuthoredEnumValue } from '../schema/authored.ts'
import { descriptionOf } from './description-of.ts'
import { NameTable } from './names/name-table.ts'
import { toConstantCase, toPascalCase, wordsOf } from './names/words.ts'
import type { ReportEntry } from './proposal.ts'
import { qualified } from './qualified.ts'
import { clashesWith, isReservedType } from './reserved-names.ts'

interface NamedEnum {
  readonly name: string
  readonly model: ModelEnum
}

/** Assigns unique schema names to the enum types of a database, and records which of them fields and arguments use. */
export class EnumNames {
  private readonly used = new Set<NamedEnum>()
  private readonly named = new Map<string, NamedEnum>()
  private readonly report: ReportEntry[]

  /** @param types names of types, which no enum may have */
  constructor(enums: readonly ModelEnum[], types: ReadonlySet<string>, report: ReportEntry[]) {
    this.report = report
    const table = new NameTable((name) => types.has(name) || isReservedType(name) || clashesWith(name, types))
    // Enums that the search path finds have the right to the plain name.
    for (const model of [...enums.filter(({ visible }) => visible), ...enums.filter(({ visible }) => !visible)]) {
      const plain = plainName(model)
      const owner = model.schema === undefined ? '' : toPascalCase(wordsOf(model.schema))
      const name = table.claim(plain, ...(model.visible ? [`${plain}Enum`] : [`${owner}${plain}`, `${plain}Enum`]))
      this.named.set(qualified(model), { name, model })
    }
  }

  /**
   * @param name as in `ModelColumn.enum`
   * @returns the name of the enum in the schema; `null`: the model lacks it, or it has no labels
   */
  use(name: string): string | null {
    const found = this.named.get(name)
    if (found === undefined || found.model.labels.length === 0) return null
    if (!this.used.has(found) && found.name !== plainName(found.model))
      this.report.push({ kind: 'enum', name, newName: found.name })
    this.used.add(found)
    return found.name
  }

  /** Writes the used enums, by name, with labels as `IN_PROGRESS`. */
  toSchema(): readonly AuthoredEnum[] {
    const used = [...this.used].sort((a, b) => (a.name < b.name ? -1 : 1))
    return used.map(({ name, model }) => ({
      name,
      ...descriptionOf(model.comment),
      values: valuesOf(name, model, this.report),
    }))
  }
}

function plainName({ name }: ModelEnum): string {
  return toPascalCase(wordsOf(name)) || 'Enum'
}

function valuesOf(name: string, model: ModelEnum, report: ReportEntry[]): readonly AuthoredEnumValue[] {
  const table = new NameTable((value) => value.startsWith('__'))
  return model.labels.map((label) => {
    const usual = toConstantCase(wordsOf(label)) || 'VALUE'
    const given = table.claim(usual)
    if (given !== usual || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(label))
      report.push({ kind: 'enum value', name: `${qualified(model)}.${label}`, newName: `${name}.${given}` })
    return given === label ? { name: given } : { name: given, value: label }
  })
}
