/** Returns the plural of an English word, for the path of a REST resource: `category` → `categories`. */
export function pluralise(word: string): string {
  if (/(ics|ies)$/.test(word)) return word
  if (/(s|x|ch|sh)$/.test(word)) return `${word}es`
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return `${word}s`
}

/**
 * Splits a name into lower-case words. `createUserHTTPKey` and `create_user_http_key` give `create`, `user`, `http`,
 * `key`.
 */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s-]+/)
    .filter((word) => word !== '')
}

export function kebab(name: string): string {
  return wordsOf(name).join('-')
}

/** Derives the name of a REST resource from its view or table: `v_user`, `tv_user`, `app.tb_user` → `user`. */
export function sourceName(source: string): string {
  return source.slice(source.lastIndexOf('.') + 1).replace(/^(v|vf|vw|tv|tb|mv)_/, '')
}

/** Returns the lower-case words of a type name in singular and in plural: `UserEmail` → `user email`, `user emails`. */
export function formsOf(typeName: string): readonly (readonly string[])[] {
  const words = wordsOf(typeName)
  return [words, [...words.slice(0, -1), pluralise(words.at(-1) ?? '')]]
}

/**
 * Removes a type name, singular or plural, from an operation name: `archive_users` without `User` is `['archive']`.
 * @returns the remaining words in lower case; `null`: the name does not contain the type
 */
export function withoutType(operation: string, typeName: string): readonly string[] | null {
  const words = wordsOf(operation)
  for (const wanted of formsOf(typeName)) {
    for (let at = 0; at + wanted.length <= words.length; at++) {
      if (wanted.every((word, index) => words[at + index] === word)) {
        return [...words.slice(0, at), ...words.slice(at + wanted.length)]
      }
    }
  }
  return null
}
