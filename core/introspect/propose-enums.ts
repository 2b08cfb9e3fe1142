import type { ModelEnum } from '../contract/database-model.ts'
import type { AuthoredEnum, AuthoredEnumValue } from '../schema/authored.ts'
import type { Layout } from './layout.ts'
import { NameTable } from './names/name-table.ts'
import { toConstantCase, wordsOf } from './names/words.ts'
import { descriptionOf } from './propose-type.ts'
import { qualified } from './qualified.ts'

/** Writes the enums that fields and arguments use: labels as `IN_PROGRESS`. */
export function proposeEnums({ enums, report }: Layout): readonly AuthoredEnum[] {
  return enums.all().map(({ name, model }) => ({
    name,
    ...descriptionOf(model.comment),
    values: valuesOf(name, model, report),
  }))
}

function valuesOf(name: string, model: ModelEnum, report: Layout['report']): readonly AuthoredEnumValue[] {
  const table = new NameTable((value) => value.startsWith('__'))
  return model.labels.map((label) => {
    const usual = toConstantCase(wordsOf(label)) || 'VALUE'
    const given = table.claim(usual)
    if (given !== usual || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(label))
      report.push({ kind: 'enum value', name: `${qualified(model)}.${label}`, newName: `${name}.${given}` })
    return given === label ? { name: given } : { name: given, value: label }
  })
}
