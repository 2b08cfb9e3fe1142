import type { ModelEnum } from '../contract/database-model.ts'
import { NameTable } from './names/name-table.ts'
import { clashesWith, isReservedType } from './names/reserved.ts'
import { toPascalCase, wordsOf } from './names/words.ts'
import type { ReportEntry } from './proposal.ts'
import { qualified } from './qualified.ts'

/** Names of the enums that fields and arguments use. */
export class EnumNames {
  private readonly used = new Map<string, { readonly name: string; readonly model: ModelEnum }>()
  private readonly table: NameTable
  private readonly byName: ReadonlyMap<string, ModelEnum>
  private readonly report: ReportEntry[]

  constructor(enums: readonly ModelEnum[], types: ReadonlySet<string>, report: ReportEntry[]) {
    this.report = report
    this.byName = new Map(enums.map((one) => [qualified(one), one]))
    this.table = new NameTable((name) => types.has(name) || isReservedType(name) || clashesWith(name, types))
  }

  /**
   * @param name as in `ModelColumn.enum`
   * @returns the name of the enum in the schema; `null`: the model lacks it, or it has no labels
   */
  use(name: string): string | null {
    const known = this.used.get(name)
    if (known !== undefined) return known.name
    const model = this.byName.get(name)
    if (model === undefined || model.labels.length === 0) return null
    const plain = toPascalCase(wordsOf(model.name)) || 'Enum'
    const owner = model.schema === undefined ? '' : toPascalCase(wordsOf(model.schema))
    const given = this.table.claim(plain, `${owner}${plain}`, `${plain}Enum`)
    if (given !== plain) this.report.push({ kind: 'enum', name, newName: given })
    this.used.set(name, { name: given, model })
    return given
  }

  /** Returns the used enums, by name. */
  all(): readonly { readonly name: string; readonly model: ModelEnum }[] {
    return [...this.used.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}
