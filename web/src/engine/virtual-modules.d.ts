declare module 'virtual:bundled-faces' {
  const urls: Readonly<Record<string, string | undefined>>;
  export default urls;
}
