/** Content of schema.ts in the template `blog` of `svc init`. */
export const SCHEMA_TS = `import {
  DateTime, Email, enum_, field, ID, input, list, mutation, nullable, query, String, type,
} from 'svc/authoring'

// The left side is what clients say, the right side what the database holds.
export const PostStatus = enum_('PostStatus', { DRAFT: 'draft', PUBLISHED: 'published' })

@type({ sqlSource: 'v_author' })
export class Author {
  @field(ID) id!: string
  @field(String) name!: string
  @field(Email) email!: string
  @field(nullable(String), { description: 'A line or two about the author' }) bio!: string | null
  @field(DateTime) createdAt!: string
  @field(() => list(Post)) posts!: Post[]
  @field(() => list(Comment)) comments!: Comment[]
}

@type({ sqlSource: 'v_post' })
export class Post {
  @field(ID) id!: string
  @field(String, { description: 'The title as part of a URL' }) slug!: string
  @field(String) title!: string
  @field(String) body!: string
  @field(PostStatus) status!: string
  @field(nullable(DateTime)) publishedAt!: string | null
  @field(DateTime) createdAt!: string
  @field(Author) author!: Author
  @field(() => list(Comment)) comments!: Comment[]
  @field(() => list(PostTag)) tags!: PostTag[]
}

@type({ sqlSource: 'v_comment' })
export class Comment {
  @field(ID) id!: string
  @field(String) body!: string
  @field(DateTime) createdAt!: string
  @field(Author) author!: Author
  @field(Post) post!: Post
}

@type({ sqlSource: 'v_tag' })
export class Tag {
  @field(ID) id!: string
  @field(String) name!: string
  @field(() => list(PostTag)) posts!: PostTag[]
}

@type({ sqlSource: 'v_post_tag', description: 'A tag on a post' })
export class PostTag {
  @field(ID) id!: string
  @field(Post) post!: Post
  @field(Tag) tag!: Tag
}

@input
export class CreatePost {
  @field(ID) authorId!: string
  @field(String) title!: string
  @field(String) body!: string
  @field(list(String), { default: [] }) tags!: string[]
}

@input({ description: 'What is left out stays as it is' })
export class UpdatePost {
  @field(nullable(String)) title!: string | null
  @field(nullable(String)) body!: string | null
}

@input
export class AddComment {
  @field(ID) postId!: string
  @field(ID) authorId!: string
  @field(String) body!: string
}

// A list query takes where, orderBy, limit and offset; an argument of another query is a condition on its column.
export class Api {
  @query(list(Author), { sqlSource: 'v_author' }) authors!: unknown
  @query(nullable(Author), { sqlSource: 'v_author', args: { id: ID } }) author!: unknown
  @query(list(Post), { sqlSource: 'v_post' }) posts!: unknown
  @query(nullable(Post), { sqlSource: 'v_post', args: { id: ID } }) post!: unknown
  @query(nullable(Post), { sqlSource: 'v_post', args: { slug: String } }) postBySlug!: unknown
  @query(list(Tag), { sqlSource: 'v_tag' }) tags!: unknown

  @mutation(Post, { sqlSource: 'fn_create_post', operation: 'CREATE', args: { input: CreatePost } })
  createPost!: unknown

  @mutation(Post, { sqlSource: 'fn_update_post', operation: 'UPDATE', args: { id: ID, input: UpdatePost } })
  updatePost!: unknown

  @mutation(Post, { sqlSource: 'fn_publish_post', args: { id: ID } })
  publishPost!: unknown

  @mutation(Post, { sqlSource: 'fn_delete_post', operation: 'DELETE', args: { id: ID } })
  deletePost!: unknown

  @mutation(Comment, { sqlSource: 'fn_add_comment', operation: 'CREATE', args: { input: AddComment } })
  addComment!: unknown
}
`
