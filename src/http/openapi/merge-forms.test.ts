import { expect, test } from 'vitest';
import { mergeForms } from './merge-forms.ts';
import type { OpenapiDocument } from './openapi-objects.ts';

const text = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const document = (schemas: Record<string, object>, ...used: string[]) =>
  ({ paths: used.map(ref), components: { schemas } }) as unknown as OpenapiDocument;
const outcome = (schemas: Record<string, object>, ...used: string[]) => {
  const { paths, components } = mergeForms(document(schemas, ...used));
  return { names: Object.keys(components.schemas ?? {}), used: paths };
};

test('[HTTP63] two equal forms, and a form that is used alone: have one name', () => {
  expect(outcome({ Tag: text, TagInput: text }, 'Tag', 'TagInput')).toEqual({
    names: ['Tag'],
    used: [ref('Tag'), ref('Tag')],
  });
  expect(outcome({ TagInput: text }, 'TagInput')).toEqual({ names: ['Tag'], used: [ref('Tag')] });
});

test('[HTTP63] two forms that differ, even in a type inside: keep two names', () => {
  const inside = (name: string) => ({ type: 'array', items: ref(name) });
  const schemas = {
    Tag: text,
    TagInput: { type: ['string', 'null'] },
    Tags: inside('Tag'),
    TagsInput: inside('TagInput'),
  };
  expect(outcome(schemas, 'Tags', 'TagsInput')).toEqual({
    names: ['Tag', 'TagInput', 'Tags', 'TagsInput'],
    used: [ref('Tags'), ref('TagsInput')],
  });
  const equal = { ...schemas, TagInput: text };
  expect(outcome(equal, 'Tags', 'TagsInput')).toEqual({
    names: ['Tag', 'Tags'],
    used: [ref('Tags'), ref('Tags')],
  });
});
