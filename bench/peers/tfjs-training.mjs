export const tfjsTraining = () => [];
